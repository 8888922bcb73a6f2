//! Conjunction, exclusive or, and if-then-else. Everything else is one of these with negations, which are free.

use super::cache::{Binary, Key};
use super::edge::Edge;
use super::kernel::{Halt, Kernel};

impl Kernel {
    /// f and g.
    pub(super) fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, Halt> {
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f.is_constant() {
            return Ok(if f == Edge::ONE { g } else { Edge::ZERO });
        }
        if f.regular() == g.regular() {
            return Ok(if f == g { f } else { Edge::ZERO });
        }
        let key = Key::binary(Binary::And, f, g);
        if let Some(result) = self.cached(key) {
            return Ok(result);
        }
        self.enter()?;
        let (var, (f1, f0), (g1, g0)) = self.split_two(f, g);
        let then = self.and(f1, g1)?;
        let otherwise = self.and(f0, g0).map_err(|halt| self.keep(halt, then))?;
        self.leave();
        let result = self.make(var, then, otherwise)?;
        self.remember(key, result);
        Ok(result)
    }

    /// f or g.
    pub(super) fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, Halt> {
        Ok(!self.and(!f, !g)?)
    }

    /// Either f or g.
    pub(super) fn xor(&mut self, f: Edge, g: Edge) -> Result<Edge, Halt> {
        let negate = f.is_negated() != g.is_negated();
        let (f, g) = (f.regular().min(g.regular()), f.regular().max(g.regular()));
        if f == g {
            return Ok(Edge::ZERO.negate_if(negate));
        }
        if f == Edge::ONE {
            return Ok((!g).negate_if(negate));
        }
        let key = Key::binary(Binary::Xor, f, g);
        if let Some(result) = self.cached(key) {
            return Ok(result.negate_if(negate));
        }
        self.enter()?;
        let (var, (f1, f0), (g1, g0)) = self.split_two(f, g);
        let then = self.xor(f1, g1)?;
        let otherwise = self.xor(f0, g0).map_err(|halt| self.keep(halt, then))?;
        self.leave();
        let result = self.make(var, then, otherwise)?;
        self.remember(key, result);
        Ok(result.negate_if(negate))
    }

    /// If f then g else h.
    pub(super) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Halt> {
        // An operand that repeats the condition is a constant.
        let same = |operand: Edge| operand.regular() == f.regular();
        let g = if same(g) { Edge::ONE.negate_if(g != f) } else { g };
        let h = if same(h) { Edge::ZERO.negate_if(h != f) } else { h };
        match (f, g, h) {
            (Edge::ONE, _, _) => return Ok(g),
            (Edge::ZERO, _, _) => return Ok(h),
            (_, Edge::ONE, _) => return self.or(f, h),
            (_, Edge::ZERO, _) => return self.and(!f, h),
            (_, _, Edge::ONE) => return self.or(!f, g),
            (_, _, Edge::ZERO) => return self.and(f, g),
            _ if g == h => return Ok(g),
            _ if g == !h => return self.xor(f, h),
            _ => {}
        }
        let (g, h) = if f.is_negated() { (h, g) } else { (g, h) };
        let (f, negate) = (f.regular(), g.is_negated());
        let (g, h) = (g.negate_if(negate), h.negate_if(negate));
        let key = Key::ite(f, g, h);
        if let Some(result) = self.cached(key) {
            return Ok(result.negate_if(negate));
        }
        self.enter()?;
        let (var, [(f1, f0), (g1, g0), (h1, h0)]) = self.split_three(f, g, h);
        let then = self.ite(f1, g1, h1)?;
        let otherwise = self.ite(f0, g0, h0).map_err(|halt| self.keep(halt, then))?;
        self.leave();
        let result = self.make(var, then, otherwise)?;
        self.remember(key, result);
        Ok(result.negate_if(negate))
    }

    /// The topmost variable of two functions that are not both constant, and their cofactors: with it, without it.
    #[inline]
    pub(super) fn split_two(&self, f: Edge, g: Edge) -> (u32, (Edge, Edge), (Edge, Edge)) {
        let (at_f, at_g) = (self.store.node(f), self.store.node(g));
        let (level_f, level_g) = (self.store.levels[at_f.var as usize], self.store.levels[at_g.var as usize]);
        match level_f.cmp(&level_g) {
            std::cmp::Ordering::Less => (at_f.var, at_f.split(f), (g, g)),
            std::cmp::Ordering::Equal => (at_f.var, at_f.split(f), at_g.split(g)),
            std::cmp::Ordering::Greater => (at_g.var, (f, f), at_g.split(g)),
        }
    }

    #[inline]
    fn split_three(&self, f: Edge, g: Edge, h: Edge) -> (u32, [(Edge, Edge); 3]) {
        let nodes = [f, g, h].map(|edge| self.store.node(edge));
        let levels = nodes.map(|node| self.store.levels[node.var as usize]);
        let top = levels[0].min(levels[1]).min(levels[2]);
        let part =
            |at: usize, edge: Edge| if levels[at] == top { nodes[at].split(edge) } else { (edge, edge) };
        (self.store.order[top as usize], [part(0, f), part(1, g), part(2, h)])
    }
}
