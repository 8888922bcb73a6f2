//! Sequences and properties as SystemVerilog.

use super::syntax::{Bool, Prop, Range, Seq};

fn boolean(boolean: Bool) -> String {
    match boolean {
        Bool::Const(value) => format!("1'b{}", u8::from(value)),
        Bool::Is(atom, value) => {
            let name = ["a", "b", "c"].get(atom).copied().unwrap_or("c");
            if value { name.to_owned() } else { format!("(!{name})") }
        }
    }
}

fn range((min, max): Range) -> String {
    match max {
        Some(max) if max == min => min.to_string(),
        Some(max) => format!("{min}:{max}"),
        None => format!("{min}:$"),
    }
}

fn delay(ticks: Range) -> String {
    if ticks.1 == Some(ticks.0) { format!("##{}", ticks.0) } else { format!("##[{}]", range(ticks)) }
}

/// A sequence as text.
pub fn sequence_text(seq: &Seq) -> String {
    let text = |seq: &Seq| match seq {
        Seq::Is(condition) => boolean(*condition),
        _ => format!("({})", sequence_text(seq)),
    };
    match seq {
        Seq::Is(condition) => boolean(*condition),
        Seq::Delay(left, ticks, right) => format!("{} {} {}", text(left), delay(*ticks), text(right)),
        Seq::Wait(ticks, inner) => format!("{} {}", delay(*ticks), text(inner)),
        Seq::Repeat(inner, times) => format!("{}[*{}]", text(inner), range(*times)),
        Seq::Goto(condition, times) => format!("{}[->{}]", boolean(*condition), range(*times)),
        Seq::Nonconsecutive(condition, times) => format!("{}[={}]", boolean(*condition), range(*times)),
        Seq::Or(left, right) => format!("{} or {}", text(left), text(right)),
        Seq::And(left, right) => format!("{} and {}", text(left), text(right)),
        Seq::Intersect(left, right) => format!("{} intersect {}", text(left), text(right)),
        Seq::Within(left, right) => format!("{} within {}", text(left), text(right)),
        Seq::Throughout(condition, inner) => format!("{} throughout {}", boolean(*condition), text(inner)),
        Seq::FirstMatch(inner) => format!("first_match({})", sequence_text(inner)),
    }
}

/// A property as text.
pub fn property_text(prop: &Prop) -> String {
    let text = |prop: &Prop| format!("({})", property_text(prop));
    let seq = |seq: &Seq| format!("({})", sequence_text(seq));
    match prop {
        Prop::Seq(inner) => sequence_text(inner),
        Prop::Weak(inner) => format!("weak({})", sequence_text(inner)),
        Prop::Strong(inner) => format!("strong({})", sequence_text(inner)),
        Prop::Not(inner) => format!("not {}", text(inner)),
        Prop::And(left, right) => format!("{} and {}", text(left), text(right)),
        Prop::Or(left, right) => format!("{} or {}", text(left), text(right)),
        Prop::Implies(left, right) => format!("{} implies {}", text(left), text(right)),
        Prop::Iff(left, right) => format!("{} iff {}", text(left), text(right)),
        Prop::If(condition, then, None) => format!("if ({}) {}", boolean(*condition), text(then)),
        Prop::If(condition, then, Some(otherwise)) => {
            format!("if ({}) {} else {}", boolean(*condition), text(then), text(otherwise))
        }
        Prop::Overlapped(left, right) => format!("{} |-> {}", seq(left), text(right)),
        Prop::Nonoverlapped(left, right) => format!("{} |=> {}", seq(left), text(right)),
        Prop::FollowedOverlapped(left, right) => format!("{} #-# {}", seq(left), text(right)),
        Prop::FollowedNonoverlapped(left, right) => format!("{} #=# {}", seq(left), text(right)),
        Prop::Next(ticks, inner) => format!("nexttime [{ticks}] {}", text(inner)),
        Prop::Always((0, None), inner) => format!("always {}", text(inner)),
        Prop::Always((min, max), inner) => format!("always [{}] {}", span(*min, *max), text(inner)),
        Prop::Eventually((0, None), inner) => format!("s_eventually {}", text(inner)),
        Prop::Eventually((min, None), inner) => format!("s_eventually [{min}:$] {}", text(inner)),
        Prop::Eventually((min, max), inner) => format!("eventually [{}] {}", span(*min, *max), text(inner)),
        Prop::Until(left, right) => format!("{} until {}", text(left), text(right)),
        Prop::StrongUntil(left, right) => format!("{} s_until {}", text(left), text(right)),
        Prop::UntilWith(left, right) => format!("{} until_with {}", text(left), text(right)),
        Prop::StrongUntilWith(left, right) => format!("{} s_until_with {}", text(left), text(right)),
        Prop::AcceptOn(condition, inner) => format!("accept_on ({}) {}", boolean(*condition), text(inner)),
        Prop::RejectOn(condition, inner) => format!("reject_on ({}) {}", boolean(*condition), text(inner)),
    }
}

fn span(min: u32, max: Option<u32>) -> String {
    max.map_or(format!("{min}:$"), |max| format!("{min}:{max}"))
}
