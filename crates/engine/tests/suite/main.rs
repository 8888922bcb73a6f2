//! Tests of the engines through their public interface.

mod agreement;
mod evidence;
mod family;
mod functions;
mod gate;
mod infinite;
mod infinite_edits;
mod joint;
mod limits;
mod partner;
mod slices_paths;
mod smooth;
