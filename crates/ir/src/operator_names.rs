//! The words for operators in files, and lists of them all. They are part of formats that are kept: none may change.

use crate::{BinaryOp, TernaryOp, UnaryOp};

impl UnaryOp {
    /// Those that have no parameter.
    pub const PLAIN: [UnaryOp; 8] = [
        UnaryOp::Not,
        UnaryOp::Neg,
        UnaryOp::ReduceAnd,
        UnaryOp::ReduceOr,
        UnaryOp::ReduceXor,
        UnaryOp::ToReal,
        UnaryOp::Floor,
        UnaryOp::Position,
    ];

    /// The word for it, without its parameter.
    pub fn word(&self) -> &'static str {
        match self {
            UnaryOp::Not => "not",
            UnaryOp::Neg => "neg",
            UnaryOp::ReduceAnd => "reduce-and",
            UnaryOp::ReduceOr => "reduce-or",
            UnaryOp::ReduceXor => "reduce-xor",
            UnaryOp::ToReal => "to-real",
            UnaryOp::Floor => "floor",
            UnaryOp::Extract { .. } => "extract",
            UnaryOp::ZeroExtend(_) => "zero-extend",
            UnaryOp::SignExtend(_) => "sign-extend",
            UnaryOp::Position => "position",
            UnaryOp::ConstArray(_) => "const-array",
            UnaryOp::Variant(_) => "variant",
        }
    }
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 28] = [
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Eq,
        BinaryOp::Ult,
        BinaryOp::Ule,
        BinaryOp::Slt,
        BinaryOp::Sle,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Udiv,
        BinaryOp::Urem,
        BinaryOp::Sdiv,
        BinaryOp::Srem,
        BinaryOp::Smod,
        BinaryOp::Shl,
        BinaryOp::Lshr,
        BinaryOp::Ashr,
        BinaryOp::Rol,
        BinaryOp::Ror,
        BinaryOp::Concat,
        BinaryOp::Read,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::RealDiv,
        BinaryOp::IntDiv,
        BinaryOp::IntMod,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Eq => "eq",
            BinaryOp::Ult => "ult",
            BinaryOp::Ule => "ule",
            BinaryOp::Slt => "slt",
            BinaryOp::Sle => "sle",
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Udiv => "udiv",
            BinaryOp::Urem => "urem",
            BinaryOp::Sdiv => "sdiv",
            BinaryOp::Srem => "srem",
            BinaryOp::Smod => "smod",
            BinaryOp::Shl => "shl",
            BinaryOp::Lshr => "lshr",
            BinaryOp::Ashr => "ashr",
            BinaryOp::Rol => "rol",
            BinaryOp::Ror => "ror",
            BinaryOp::Concat => "concat",
            BinaryOp::Read => "read",
            BinaryOp::Lt => "lt",
            BinaryOp::Le => "le",
            BinaryOp::RealDiv => "real-div",
            BinaryOp::IntDiv => "int-div",
            BinaryOp::IntMod => "int-mod",
        }
    }
}

impl TernaryOp {
    /// All of them.
    pub const ALL: [TernaryOp; 2] = [TernaryOp::Ite, TernaryOp::Write];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TernaryOp::Ite => "ite",
            TernaryOp::Write => "write",
        }
    }
}
