//! Smaller properties and words that still do what a larger one does.

use super::Letter;
use super::syntax::{Bool, Prop, Seq};

/// A word with fewer ticks, and fewer conditions that hold.
pub fn shrunk_word(word: &[Letter], still: &dyn Fn(&[Letter]) -> bool) -> Vec<Letter> {
    let mut best = word.to_vec();
    let mut at = 0;
    while at < best.len() {
        let mut shorter = best.clone();
        shorter.remove(at);
        if still(&shorter) {
            best = shorter;
        } else {
            at += 1;
        }
    }
    best
}

/// A property from which nothing can be taken.
pub fn shrunk_property(prop: &Prop, still: &dyn Fn(&Prop) -> bool) -> Prop {
    let mut best = prop.clone();
    while let Some(smaller) = smaller_props(&best).into_iter().find(|smaller| still(smaller)) {
        best = smaller;
    }
    best
}

fn smaller_seqs(seq: &Seq) -> Vec<Seq> {
    let one = |inner: &Seq, make: &dyn Fn(Box<Seq>) -> Seq| -> Vec<Seq> {
        let parts = smaller_seqs(inner).into_iter().map(|smaller| make(Box::new(smaller)));
        std::iter::once(inner.clone()).chain(parts).collect()
    };
    let two = |left: &Seq, right: &Seq, make: &dyn Fn(Box<Seq>, Box<Seq>) -> Seq| -> Vec<Seq> {
        let mut all = vec![left.clone(), right.clone()];
        let (first, second) = (Box::new(left.clone()), Box::new(right.clone()));
        all.extend(smaller_seqs(left).into_iter().map(|smaller| make(Box::new(smaller), second.clone())));
        all.extend(smaller_seqs(right).into_iter().map(|smaller| make(first.clone(), Box::new(smaller))));
        all
    };
    match seq {
        Seq::Is(Bool::Const(true)) => Vec::new(),
        Seq::Is(_) => vec![Seq::Is(Bool::Const(true))],
        Seq::Goto(condition, (1, Some(1))) | Seq::Nonconsecutive(condition, (1, Some(1))) => {
            vec![Seq::Is(*condition)]
        }
        Seq::Goto(condition, _) => vec![Seq::Is(*condition), Seq::Goto(*condition, (1, Some(1)))],
        Seq::Nonconsecutive(condition, _) => {
            vec![Seq::Is(*condition), Seq::Nonconsecutive(*condition, (1, Some(1)))]
        }
        Seq::Wait(ticks, inner) => one(inner, &|inner| Seq::Wait(*ticks, inner)),
        Seq::Repeat(inner, times) => one(inner, &|inner| Seq::Repeat(inner, *times)),
        Seq::FirstMatch(inner) => one(inner, &Seq::FirstMatch),
        Seq::Throughout(condition, inner) => one(inner, &|inner| Seq::Throughout(*condition, inner)),
        Seq::Delay(left, ticks, right) => two(left, right, &|left, right| Seq::Delay(left, *ticks, right)),
        Seq::Or(left, right) => two(left, right, &Seq::Or),
        Seq::And(left, right) => two(left, right, &Seq::And),
        Seq::Intersect(left, right) => two(left, right, &Seq::Intersect),
        Seq::Within(left, right) => two(left, right, &Seq::Within),
    }
}

fn smaller_props(prop: &Prop) -> Vec<Prop> {
    let one = |inner: &Prop, make: &dyn Fn(Box<Prop>) -> Prop| -> Vec<Prop> {
        let parts = smaller_props(inner).into_iter().map(|smaller| make(Box::new(smaller)));
        std::iter::once(inner.clone()).chain(parts).collect()
    };
    let two = |left: &Prop, right: &Prop, make: &dyn Fn(Box<Prop>, Box<Prop>) -> Prop| -> Vec<Prop> {
        let mut all = vec![left.clone(), right.clone()];
        let (first, second) = (Box::new(left.clone()), Box::new(right.clone()));
        all.extend(smaller_props(left).into_iter().map(|smaller| make(Box::new(smaller), second.clone())));
        all.extend(smaller_props(right).into_iter().map(|smaller| make(first.clone(), Box::new(smaller))));
        all
    };
    let after = |seq: &Seq, inner: &Prop, make: &dyn Fn(Seq, Box<Prop>) -> Prop| -> Vec<Prop> {
        let mut all = one(inner, &|inner| make(seq.clone(), inner));
        all.extend(smaller_seqs(seq).into_iter().map(|smaller| make(smaller, Box::new(inner.clone()))));
        all
    };
    match prop {
        Prop::Seq(seq) => smaller_seqs(seq).into_iter().map(Prop::Seq).collect(),
        Prop::Weak(seq) => smaller_seqs(seq).into_iter().map(Prop::Weak).collect(),
        Prop::Strong(seq) => smaller_seqs(seq).into_iter().map(Prop::Strong).collect(),
        Prop::Not(inner) => one(inner, &Prop::Not),
        Prop::Next(ticks, inner) => one(inner, &|inner| Prop::Next(*ticks, inner)),
        Prop::Always(ticks, inner) => one(inner, &|inner| Prop::Always(*ticks, inner)),
        Prop::Eventually(ticks, inner) => one(inner, &|inner| Prop::Eventually(*ticks, inner)),
        Prop::AcceptOn(condition, inner) => one(inner, &|inner| Prop::AcceptOn(*condition, inner)),
        Prop::RejectOn(condition, inner) => one(inner, &|inner| Prop::RejectOn(*condition, inner)),
        Prop::If(condition, then, None) => one(then, &|inner| Prop::If(*condition, inner, None)),
        Prop::If(condition, then, Some(otherwise)) => {
            two(then, otherwise, &|then, otherwise| Prop::If(*condition, then, Some(otherwise)))
        }
        Prop::And(left, right) => two(left, right, &Prop::And),
        Prop::Or(left, right) => two(left, right, &Prop::Or),
        Prop::Implies(left, right) => two(left, right, &Prop::Implies),
        Prop::Iff(left, right) => two(left, right, &Prop::Iff),
        Prop::Until(left, right) => two(left, right, &Prop::Until),
        Prop::StrongUntil(left, right) => two(left, right, &Prop::StrongUntil),
        Prop::UntilWith(left, right) => two(left, right, &Prop::UntilWith),
        Prop::StrongUntilWith(left, right) => two(left, right, &Prop::StrongUntilWith),
        Prop::Overlapped(seq, inner) => after(seq, inner, &Prop::Overlapped),
        Prop::Nonoverlapped(seq, inner) => after(seq, inner, &Prop::Nonoverlapped),
        Prop::FollowedOverlapped(seq, inner) => after(seq, inner, &Prop::FollowedOverlapped),
        Prop::FollowedNonoverlapped(seq, inner) => after(seq, inner, &Prop::FollowedNonoverlapped),
    }
}
