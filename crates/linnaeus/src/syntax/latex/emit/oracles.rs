//! Oracles in every spelling: `prox_{t f}(…)`, `P_C x`, `J_{γA}`, `S_λ(…)`, `shrink(v, t)`, `\max(0, v)`.

use super::derivative::{self, of_a_composition};
use super::{
    Emitted, Emitter, closing, closing_of, dotted_norm, flat, index_tokens, is_lone_star, labelled, of_a_set, stem,
    token,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::OracleKind;
use crate::syntax::latex::atoms::{Atom, Nucleus};
use crate::syntax::latex::time::{moved, shape};
use crate::syntax::lexer::{Token, TokenKind};
use crate::syntax::names::{NONNEGATIVE, NORM_1, greek_letter, indicated, oracle_word, well_known};

impl Emitter<'_> {
    /// `\max(0, v)` of an iterate: how many atoms it took.
    pub(super) fn positive_part(&mut self, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let Some(close) = atoms.get(1..).and_then(closing).map(|c| c + 1) else { return Ok(None) };
        let inside = &atoms[2..close];
        let comma = inside.iter().enumerate().position(|(i, a)| a.is(',') && closing_of(&inside[..i]) == 0);
        let Some((left, right)) = comma.map(|c| (&inside[..c], &inside[c + 1..])) else { return Ok(None) };
        let is_zero =
            |a: &[Atom]| matches!(a, [Atom { nucleus: Nucleus::Number(n), sub: None, sup: None, .. }] if n == "0");
        let point = match (is_zero(left), is_zero(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return Ok(None),
        };
        let mut moves = false;
        point.iter().for_each(|a| a.walk(&mut |a| moves |= moved(a, self.clock).is_some()));
        if !moves {
            return Ok(None);
        }
        let taken_as = format!("the projection onto {NONNEGATIVE}, the vectors without a negative entry");
        self.guess("\\max(0, …)", &taken_as, "write `P_D(…)` for a set D".to_string());
        self.name(format!("proj_{NONNEGATIVE}"), atoms[0].span);
        self.symbol('(', atoms[1].span);
        self.list(point)?;
        self.symbol(')', atoms[close].span);
        Ok(Some(close + 1))
    }

    /// `prox_{t f}(…)`, `P_C x`, `J_{γA}`, in every spelling; how many atoms it took.
    pub(super) fn oracle(&mut self, name: &str, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let atom = &atoms[0];
        let Some(_) = oracle_word(name) else { return Ok(None) };
        if self.clock.iterates.contains(name) {
            return Ok(None);
        }
        let letter = self.clock.letter.clone();
        let sub: &[Atom] = atom.sub.as_deref().unwrap_or(&[]);
        let short = name.chars().count() == 1 || name == "Pi";
        let timed = shape(sub).is_some_and(|(l, _)| Some(l) == letter);
        if short && (sub.is_empty() || timed) {
            return Ok(None);
        }
        let span = atom.span;
        let step: Option<&[Atom]> = atom.sup.as_deref();
        let plainer = plainer(sub);
        let sub: &[Atom] = plainer.as_deref().unwrap_or(sub);
        // `J_{\gamma\partial f}` is the prox of f.
        let subdifferential =
            sub.iter().position(|a| a.is('∂')).filter(|_| matches!(name, "J" | "R" | "resolvent" | "refl"));
        let bare: Vec<Atom> =
            sub.iter().enumerate().filter(|(i, _)| Some(*i) != subdifferential).map(|(_, a)| a.clone()).collect();
        let sub: &[Atom] = if subdifferential.is_some() { &bare } else { sub };
        let name = if subdifferential.is_some() && matches!(name, "J" | "resolvent") { "prox" } else { name };
        if sub.is_empty() {
            if let Some(count) = self.with_arguments(name, atoms)? {
                return Ok(Some(count));
            }
            // `prox(x)`: whose it is, is not said.
            self.name(name, span);
            return Ok(Some(1));
        }
        // `P_{[0,1]^n}`: a set that is written out.
        let sample = drawn_below(sub, letter.as_ref(), span);
        let is_projection = oracle_word(name) == Some(OracleKind::Projection) && step.is_none();
        if is_projection && sample.is_none() && sub.iter().any(|a| a.is('(')) {
            let set = format!("set_{}", flat(sub));
            self.guess(&set, "a set that is written out", "write `P_D(…)` for a set D".to_string());
            self.name(format!("proj_{set}"), span);
            return Ok(Some(1));
        }
        // `R_A R_B` beside `P_B`: reflections in sets.
        if let ("R", [Atom { nucleus: Nucleus::Name(set), sub: None, sup: None, .. }], None) = (name, sub, step)
            && set.starts_with(char::is_uppercase)
            && !self.clock.sets.is_empty()
        {
            let taken_as = format!("the reflection in a set, `2 P_{set} - I`");
            self.guess(&format!("R_{set}"), &taken_as, format!("write `R_{{1 {set}}}` for that of an operator"));
            self.symbol('(', span);
            self.number("2", span)?;
            self.symbol('*', span);
            self.below("proj", sub, span)?;
            self.symbol('-', span);
            self.name("I", span);
            self.symbol(')', span);
            return Ok(Some(1));
        }
        if let Some(sample) = sample {
            // `P_{i(k)}(x_k)`: which of many changes from iteration to iteration.
            let set = self.unused(name);
            let taken_as = format!("one of many, called `{set}`, drawn anew in every iteration");
            let shown =
                sample.iter().filter_map(|t| if let TokenKind::Name(n) = &t.kind { Some(n.as_str()) } else { None });
            let shown = shown.collect::<Vec<_>>().join("_");
            self.guess(&format!("{name}_{{{shown}}}"), &taken_as, format!("write `{name}_C` for one that stays"));
            self.name(name, span);
            self.push(TokenKind::Underscore, span);
            self.symbol('{', span);
            self.name(set, span);
            self.symbol('}', span);
            self.drawn = Some(sample);
            return Ok(Some(1));
        }
        if let Some(conjugated) = of_a_multiple(sub) {
            return self.conjugate_of_multiple(name, conjugated, atom);
        }
        let Some(step) = step else {
            // `prox_λ f(x)`
            if let [_, function @ Atom { nucleus: Nucleus::Name(f), sup: None, .. }, open, ..] = atoms
                && open.is('(')
                && self.is_step(sub)
                && matches!(name, "prox" | "env")
                && f.starts_with(char::is_lowercase)
                && (greek_letter(stem(f)).is_none() || is_function_letter(f))
                && !self.clock.iterates.contains(f)
            {
                let whole: Vec<Atom> = sub.iter().chain([function]).cloned().collect();
                self.below(name, &whole, span.to(function.span))?;
                return Ok(Some(2));
            }
            if let Some((function, set)) = indicator(name, sub) {
                let what = if name == "prox" { "indicator" } else { "normal cone" };
                let taken_as = format!("the {what} of `{}`, so this is a projection", flat(set));
                self.guess(&function, &taken_as, format!("write `{name}_h` for another name"));
                self.below("proj", set, span)?;
                return Ok(Some(1));
            }
            self.below(name, sub, span)?;
            return Ok(Some(1));
        };
        // `J^A_γ`, `prox_λ^{f}`: the function stands above, the step below.
        if self.is_step(sub) && names_function(step, letter.as_ref()) {
            let whole: Vec<Atom> = sub.iter().chain(step).cloned().collect();
            self.below(name, &whole, span)?;
            return Ok(Some(1));
        }
        let is_power = matches!(step, [Atom { nucleus: Nucleus::Number(_), .. }]);
        if oracle_word(name) == Some(OracleKind::Projection) && !is_power {
            // `\Pi_C^φ`: a projection in another metric.
            let full = labelled(&labelled(name, &flat(sub)), &flat(step));
            let other = format!("write `P_{{{}}}` for the projection without `{}`", flat(sub), flat(step));
            self.guess(&full, "a projection in a metric of its own, an oracle", other);
            self.name(full, span);
            return Ok(Some(1));
        }
        self.name(name, span);
        self.push(TokenKind::Underscore, span);
        self.symbol('{', span);
        let shown = flat(step);
        let written = format!("write `{name}_{{{shown} {}}}`, or name the metric with the function", flat(sub));
        self.guess(&format!("{name}^{shown}"), "a step", written);
        self.parenthesized(step, span)?;
        self.step_and_function(name, sub, span)?;
        self.symbol('}', span);
        Ok(Some(1))
    }

    /// `prox_{t f}`.
    pub(super) fn below(&mut self, name: &str, sub: &[Atom], span: Span) -> Emitted {
        self.name(name, span);
        self.push(TokenKind::Underscore, span);
        self.symbol('{', span);
        self.step_and_function(name, sub, span)?;
        self.symbol('}', span);
        Ok(())
    }

    /// What stands below `prox`: a step and a function, in this order, or the other, or one of them.
    fn step_and_function(&mut self, name: &str, sub: &[Atom], span: Span) -> Emitted {
        if let Some(comma) = sub.iter().position(|a| a.is(',') || a.is(';')) {
            self.step_and_function(name, &sub[..comma], span)?;
            self.symbol(',', span);
            return self.list(&sub[comma + 1..]);
        }
        // `\frac{g^*}{t}`: the function stands above.
        if let [Atom { nucleus: Nucleus::Fraction(above, below), sub: None, sup: None, .. }] = sub
            && let Some(Atom { nucleus: Nucleus::Name(_), sup: Some(_), .. }) = above.last()
        {
            let between = Atom::new(Nucleus::Symbol('/'), span);
            let below = Atom::new(Nucleus::Group(below.clone()), span);
            let flat: Vec<Atom> = above.iter().cloned().chain([between, below]).collect();
            return self.step_and_function(name, &flat, span);
        }
        if self.composite(name, sub, span)? {
            return Ok(());
        }
        // `γ‖·‖_1`: a function without a name.
        if let Some(bar) = sub.iter().position(|a| a.is('‖') || a.is('|'))
            && let Some(norm) = dotted_norm(&sub[bar..])
        {
            self.list(&sub[..bar])?;
            self.name(norm, span);
            return self.list(&sub[bar + 3..]);
        }
        if self.is_only_step(sub) && matches!(name, "prox" | "J" | "R") {
            let function = self.unused(name);
            let shown = flat(sub);
            let other = if function == "g" { "h" } else { "g" };
            self.guess(
                &format!("{name}_{shown}"),
                &format!("a step, of a function called `{function}`"),
                format!("write `{name}_{{{shown} {other}}}`"),
            );
            self.list(sub)?;
            self.name(function, span);
            return Ok(());
        }
        let merged = self.capitals(sub);
        let sub = merged.as_deref().unwrap_or(sub);
        self.metric(name, sub);
        // The last name is the function's; it carries labels, never time.
        let last = sub.iter().rposition(|a| matches!(a.nucleus, Nucleus::Name(_)));
        let divided = sub.iter().position(|a| a.is('/'));
        let at = match (divided, last) {
            (Some(slash), _) if slash > 0 => {
                sub[..slash].iter().rposition(|a| matches!(a.nucleus, Nucleus::Name(_))).or(last)
            }
            (_, last) => last,
        };
        let Some(at) = at else { return self.list(sub) };
        self.list(&sub[..at])?;
        let Nucleus::Name(function) = &sub[at].nucleus else { return Ok(()) };
        // `J_{s N^{-1}}`: the inverse of an operator.
        let inverts = matches!(oracle_word(name), Some(OracleKind::Resolvent | OracleKind::Reflected))
            && matches!(sub[at].sup.as_deref(), Some([minus, one]) if minus.is('-') && one.nucleus == Nucleus::Number("1".into()));
        let plain = Atom { sup: sub[at].sup.clone().filter(|_| !inverts), ..sub[at].clone() };
        let (full, mut conjugate, sample) = self.function(function, &plain);
        self.drawn = sample;
        let mut rest = &sub[at + 1..];
        if let [star, after @ ..] = rest
            && !conjugate
            && is_lone_star(star)
            && after.first().is_none_or(|a| a.is('/'))
        {
            // `σg*`: a star on the line that multiplies nothing.
            (conjugate, rest) = (true, after);
        }
        if let [slash, divisor @ ..] = rest
            && conjugate
            && slash.is('/')
        {
            // `g^*/t`: in the plain notation the step stands before the star.
            if at > 0 {
                self.symbol('*', slash.span);
            }
            self.symbol('(', slash.span);
            self.number("1", slash.span)?;
            self.symbol('/', slash.span);
            self.symbol('(', slash.span);
            self.list(divisor)?;
            self.symbol(')', slash.span);
            self.symbol(')', slash.span);
            rest = &[];
        }
        let full = oracle_word(name).map_or(full.as_str(), |kind| well_known(kind, &full)).to_string();
        self.name(full, sub[at].span);
        if conjugate {
            self.symbol('*', sub[at].span);
        }
        if inverts {
            self.symbol('^', sub[at].span);
            self.symbol('-', sub[at].span);
            self.number("1", sub[at].span)?;
        }
        self.list(rest)
    }

    /// A name for a function or a set that the text does not name.
    fn unused(&self, name: &str) -> String {
        let customary: &[&str] = match oracle_word(name) {
            Some(OracleKind::Projection) => &["C", "D", "Q", "S"],
            Some(OracleKind::Resolvent | OracleKind::Reflected) => &["A", "B", "C", "D"],
            _ => &["f", "g", "h", "phi", "psi"],
        };
        let free = customary.iter().find(|n| !self.clock.names.contains(**n));
        free.map_or_else(|| format!("{}_0", customary[0]), |n| n.to_string())
    }

    /// Whether what stands below `prox` can only be a step: `λ`, `t_k`, a letter that multiplies elsewhere.
    fn is_only_step(&self, sub: &[Atom]) -> bool {
        let factor = matches!(sub, [Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }]
            if n.starts_with(char::is_lowercase) && self.clock.factors.contains(n));
        factor && !is_function(sub) || is_only_step(sub, self.clock.letter.as_ref())
    }

    /// The same before a function's name: `prox_t g(x)`.
    fn is_step(&self, sub: &[Atom]) -> bool {
        let small =
            matches!(sub, [Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }] if n == "t" || n == "s");
        let number = matches!(sub, [Atom { nucleus: Nucleus::Number(_) | Nucleus::Fraction(..), .. }]);
        small || number || self.is_only_step(sub)
    }

    /// `γ TV`: capitals side by side are one name.
    fn capitals(&mut self, sub: &[Atom]) -> Option<Vec<Atom>> {
        let capital = |a: &Atom| match &a.nucleus {
            Nucleus::Name(n) if n.chars().count() == 1 && a.primes == 0 => n.starts_with(char::is_uppercase),
            _ => false,
        };
        let bare = |a: &Atom| a.sub.is_none() && a.sup.is_none();
        let last = sub.len().checked_sub(1).filter(|l| capital(&sub[*l]))?;
        let touches = |i: &usize| capital(&sub[*i]) && bare(&sub[*i]) && sub[*i].span.end == sub[*i + 1].span.start;
        let from = last - (0..last).rev().take_while(touches).count();
        if from == last {
            return None;
        }
        let name = flat(&sub[from..].iter().map(|a| Atom::new(a.nucleus.clone(), a.span)).collect::<Vec<_>>());
        self.guess(
            &name,
            "one name",
            format!("write `{}` for a product", name.split("").collect::<Vec<_>>().join(" ").trim()),
        );
        let whole = Atom { nucleus: Nucleus::Name(name), span: sub[from].span.to(sub[last].span), ..sub[last].clone() };
        Some(sub[..from].iter().cloned().chain([whole]).collect())
    }

    /// `J_{M^{-1}A}`: a capital in a step is a number there.
    fn metric(&mut self, name: &str, sub: &[Atom]) {
        let is_capital = |a: &&Atom| match &a.nucleus {
            Nucleus::Name(n) => n.chars().count() == 1 && n.starts_with(char::is_uppercase) && n != "L",
            _ => false,
        };
        let names = sub.iter().filter(|a| matches!(a.nucleus, Nucleus::Name(_))).count();
        let inverted = |a: &&Atom| matches!(a.sup.as_deref(), Some([minus, _]) if minus.is('-'));
        // What is divided ends with the function's name.
        let end = sub.iter().position(|a| a.is('/')).unwrap_or(sub.len());
        if let Some(Atom { nucleus: Nucleus::Name(n), .. }) =
            sub.iter().take(end.saturating_sub(1)).filter(is_capital).find(inverted).filter(|_| names > 1)
        {
            let written = format!("write one name below, as in `{name}_B`, if `{n}` is an operator");
            self.guess(n, "a number, since it is a step", written);
        }
    }

    /// `γ f∘A`, `γ(f∘A)`, `γ g(K·)`: a composition has an oracle of its own. Whether this is one.
    fn composite(&mut self, name: &str, sub: &[Atom], span: Span) -> Result<bool, Diagnostic> {
        let dotted = match sub {
            [.., dot, close] if close.is(')') && dot.is('*') => {
                let open = sub.iter().rposition(|a| a.is('(')).filter(|o| *o > 0 && *o + 3 < sub.len());
                open.filter(|o| matches!(sub[*o - 1].nucleus, Nucleus::Name(_)))
            }
            _ => None,
        };
        let circle = sub.iter().position(|a| a.nucleus == Nucleus::After);
        let (left, right) = match (circle, dotted) {
            (Some(at), _) => (&sub[..at], &sub[at + 1..]),
            (None, Some(open)) => (&sub[..open], &sub[open + 1..sub.len() - 2]),
            _ => return Ok(false),
        };
        let place = circle.map_or(span, |c| sub[c].span);
        // `γ(f∘A)`
        let open = left.iter().rposition(|a| a.is('('));
        let (step, outer, inner) = match (open, right) {
            (Some(open), [inner @ .., close]) if close.is(')') && close.sup.is_none() && open + 1 < left.len() => {
                (&left[..open], &left[open + 1..], inner)
            }
            _ => (&[][..], left, right),
        };
        let norm = outer.iter().position(|a| a.is('‖')).and_then(|b| Some((b, dotted_norm(&outer[b..])?)));
        let (own, function) = match (norm, outer) {
            (Some((bar, norm)), _) if bar + 3 == outer.len() => (&outer[..bar], norm),
            (None, [own @ .., f @ Atom { nucleus: Nucleus::Name(n), sup: None, .. }]) => (own, self.function(n, f).0),
            _ => return Err(of_a_composition(place)),
        };
        if inner.is_empty() || !inner.iter().all(|a| matches!(a.nucleus, Nucleus::Name(_)) && a.sup.is_none()) {
            return Err(of_a_composition(place));
        }
        let full = format!("{function}_of_{}", flat(inner));
        let taken_as = format!("one function, `{full}`, with a {name} of its own");
        self.guess(
            &format!("{function} \\circ {}", flat(inner)),
            &taken_as,
            format!("write `{name}_h` for another name"),
        );
        self.list(step)?;
        self.list(own)?;
        self.name(full, span);
        Ok(true)
    }

    /// `prox_{(σf)^*}` is the identity less `prox_{σf}`.
    fn conjugate_of_multiple(
        &mut self,
        name: &str,
        (before, inside): (&[Atom], &[Atom]),
        atom: &Atom,
    ) -> Result<Option<usize>, Diagnostic> {
        let span = atom.span;
        if !before.is_empty() || atom.sup.is_some() || !matches!(oracle_word(name), Some(OracleKind::Prox)) {
            return Err(derivative::of_a_multiple(span));
        }
        let message =
            "the conjugate of a multiple was read by Moreau's identity, as v less the prox of the multiple at v";
        self.diagnostics.push(Diagnostic::note(span, message));
        self.symbol('(', span);
        self.name("I", span);
        self.symbol('-', span);
        self.below(name, inside, span)?;
        self.symbol(')', span);
        Ok(Some(1))
    }

    /// `prox(f, x, t)`, as programs have it.
    fn with_arguments(&mut self, name: &str, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let Some((parts, close)) = arguments(&atoms[1..]) else { return Ok(None) };
        let (function, point, step) = match parts.as_slice() {
            [[f], point] => (f, point, None),
            [[f], point, step] => (f, point, Some(step)),
            _ => return Ok(None),
        };
        let is_function = matches!(&function.nucleus, Nucleus::Name(n) if !self.clock.iterates.contains(n))
            && moved(function, self.clock).is_none();
        if !is_function || !matches!(name, "prox" | "proj") {
            return Ok(None);
        }
        let step = step.map(|s| Atom::new(Nucleus::Group(s.to_vec()), function.span));
        let sub: Vec<Atom> = step.into_iter().chain([function.clone()]).collect();
        self.below(name, &sub, atoms[0].span)?;
        self.argument(point, &atoms[1..=close + 1])?;
        Ok(Some(close + 2))
    }

    /// `S_{λ/L}(v)`, `shrink(v, t)`, `soft_t(v)`: the prox of a multiple of the sum of absolute values.
    pub(super) fn threshold(&mut self, name: &str, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let atom = &atoms[0];
        let word = is_threshold(name);
        if !word && name != "S" {
            return Ok(None);
        }
        let Some((parts, close)) = arguments(&atoms[1..]) else { return Ok(None) };
        let (step, point) = match (&atom.sub, parts.as_slice()) {
            (Some(sub), [point]) if word || name == "S" && is_amount(sub, self.clock.letter.as_ref()) => {
                (&sub[..], *point)
            }
            (None, [point, step]) if word => (*step, *point),
            _ => return Ok(None),
        };
        if atom.sup.is_some() || atom.primes > 0 || self.clock.iterates.contains(name) {
            return Ok(None);
        }
        let shown = if name == "S" { "S_{…}(…)".to_string() } else { format!("{name}(…)") };
        let other = "write `T(…)` for any other map".to_string();
        self.guess(&shown, "soft thresholding, the prox of the sum of absolute values", other);
        self.name("prox", atom.span);
        self.push(TokenKind::Underscore, atom.span);
        self.symbol('{', atom.span);
        self.parenthesized(step, atom.span)?;
        self.name(NORM_1, atom.span);
        self.symbol('}', atom.span);
        self.argument(point, &atoms[1..=close + 1])?;
        Ok(Some(close + 2))
    }

    /// Where an oracle is asked, in parentheses at the places of those around it: calls are told apart by their places.
    fn argument(&mut self, point: &[Atom], around: &[Atom]) -> Emitted {
        self.symbol('(', around[0].span);
        self.list(point)?;
        self.symbol(')', around[around.len() - 1].span);
        Ok(())
    }

    /// `D_J^{p}(x, y)`, `D_φ(x, y)` in what is minimized: J(x) - J(y) - ⟨p, x - y⟩, with ∇φ(y) where no p is named.
    pub(super) fn bregman(&mut self, name: &str, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let atom = &atoms[0];
        let (Some([function]), true) = (atom.sub.as_deref(), self.minimizes) else { return Ok(None) };
        if !matches!(name, "D" | "B" | "V" | "Delta") {
            return Ok(None);
        }
        let Some((parts, close)) = arguments(&atoms[1..]) else { return Ok(None) };
        let ([x, y], Nucleus::Name(_)) = (parts.as_slice(), &function.nucleus) else { return Ok(None) };
        let at = |nucleus: Nucleus| Atom::new(nucleus, atom.span);
        let sign = |c: char| at(Nucleus::Symbol(c));
        let applied = |f: Vec<Atom>, v: &[Atom]| -> Vec<Atom> {
            let open = Atom::new(Nucleus::Symbol('('), v[0].span);
            let close = Atom::new(Nucleus::Symbol(')'), v[v.len() - 1].span);
            f.into_iter().chain([open]).chain(v.iter().cloned()).chain([close]).collect()
        };
        let slope = match &atom.sup {
            Some(p) => p.clone(),
            None => applied(vec![sign('∇'), function.clone()], y),
        };
        let mut whole = vec![sign('(')];
        whole.extend(applied(vec![function.clone()], x));
        whole.push(sign('-'));
        whole.extend(applied(vec![function.clone()], y));
        whole.extend([sign('-'), sign('⟨')]);
        whole.extend(slope);
        whole.push(sign(','));
        whole.extend(x.iter().cloned().chain([sign('-')]));
        whole.extend(y.iter().cloned());
        let end = |c: char| Atom::new(Nucleus::Symbol(c), atoms[close + 1].span);
        whole.extend([end('⟩'), end(')')]);
        let message = "this was read as a Bregman distance, the function less its linear part at the second point";
        self.diagnostics.push(Diagnostic::note(atom.span.to(atoms[close + 1].span), message));
        self.list(&whole)?;
        Ok(Some(close + 2))
    }
}

/// `f(\cdot)` and `(f^*)` as `f` and `f^*`, where they stand below an oracle.
fn plainer(sub: &[Atom]) -> Option<Vec<Atom>> {
    let mut found: Vec<Atom> = Vec::new();
    let mut rest = sub;
    while let [first, after @ ..] = rest {
        rest = after;
        match after {
            [dot, close, more @ ..] if first.is('(') && dot.is('*') && close.is(')') && !found.is_empty() => {
                rest = more
            }
            [only @ Atom { nucleus: Nucleus::Name(_), .. }, close, more @ ..]
                if first.is('(')
                    && close.is(')')
                    && close.sup.is_none()
                    && close.sub.is_none()
                    // `P_{i(k)}` is one of many.
                    && (only.sup.is_some() || found.is_empty()) =>
            {
                found.push(only.clone());
                rest = more;
            }
            _ => found.push(first.clone()),
        }
    }
    (found.len() < sub.len()).then_some(found)
}

/// The arguments in the parentheses that begin here, and where these close.
fn arguments(atoms: &[Atom]) -> Option<(Vec<&[Atom]>, usize)> {
    let close = atoms.first().filter(|a| a.is('(')).and_then(|_| closing(atoms))?;
    if atoms[close].sup.is_some() || atoms[close].sub.is_some() {
        return None;
    }
    let inside = &atoms[1..close];
    let mut parts = Vec::new();
    let (mut from, mut depth) = (0, 0i64);
    for (i, atom) in inside.iter().enumerate() {
        depth += i64::from(atom.is('(')) - i64::from(atom.is(')'));
        if atom.is(',') && depth == 0 {
            parts.push(&inside[from..i]);
            from = i + 1;
        }
    }
    parts.push(&inside[from..]);
    parts.iter().all(|p| !p.is_empty()).then_some((parts, close))
}

/// Words for the prox of the sum of absolute values.
fn is_threshold(name: &str) -> bool {
    let word = name.to_lowercase();
    let word = word.strip_suffix("ing").or(word.strip_suffix("er")).unwrap_or(&word);
    matches!(word, "soft" | "st" | "shrink" | "softthreshold" | "softthresh" | "softshrink" | "shrinkage" | "thresh")
        && name.chars().count() > 1
}

fn is_timed(script: &Option<Vec<Atom>>, letter: Option<&String>) -> bool {
    script.as_deref().and_then(shape).is_some_and(|(l, _)| Some(&l) == letter)
}

/// Greek letters that functions have.
fn is_function_letter(name: &str) -> bool {
    greek_letter(stem(name)).is_some_and(|c| "φψχωιθ".contains(c))
}

/// Whether what stands below `prox` can only be a step: `λ`, `t_k`.
fn is_only_step(sub: &[Atom], letter: Option<&String>) -> bool {
    let [Atom { nucleus: Nucleus::Name(n), sub: script, .. }] = sub else { return false };
    let greek = greek_letter(stem(n)).is_some_and(char::is_lowercase) && !is_function(sub);
    greek || is_timed(script, letter)
}

/// `φ`, and `δ_C`, which is a function of a set.
fn is_function(sub: &[Atom]) -> bool {
    let [Atom { nucleus: Nucleus::Name(n), sub: script, .. }] = sub else { return false };
    let of_a_set = matches!(script.as_deref(), Some([Atom { nucleus: Nucleus::Name(set), .. }]) if set.starts_with(char::is_uppercase));
    is_function_letter(n) || of_a_set
}

/// `\iota_C` and `γ\delta_C` below `prox`, `N_C` below `J`: what it is called, and its set. The step says nothing.
fn indicator<'a>(name: &str, sub: &'a [Atom]) -> Option<(String, &'a [Atom])> {
    let [step @ .., function @ Atom { nucleus: Nucleus::Name(word), sub: Some(set), .. }] = sub else { return None };
    let full = labelled(word, &flat(set));
    let found = match name {
        "prox" => indicated(&full).is_some(),
        "J" | "resolvent" => word == "N",
        _ => false,
    };
    let number = |a: &Atom| matches!(a.nucleus, Nucleus::Name(_) | Nucleus::Number(_) | Nucleus::Fraction(..));
    (found && of_a_set(function) && step.iter().all(number)).then_some((full, set.as_slice()))
}

/// Whether a superscript names a function or an operator: `f`, `A`, `g^*`.
fn names_function(sup: &[Atom], letter: Option<&String>) -> bool {
    let [Atom { nucleus: Nucleus::Name(n), sub, .. }] = sup else { return false };
    greek_letter(stem(n)).is_none_or(|_| is_function(sup)) && !is_timed(sub, letter) && n != "t" && n != "s"
}

/// `(σf)^*`, and what stands before it.
fn of_a_multiple(sub: &[Atom]) -> Option<(&[Atom], &[Atom])> {
    let starred = |a: &Atom| matches!(a.sup.as_deref(), Some([only]) if only.is('*') || only.is('⋆'));
    let (before, inside) = match sub {
        [before @ .., Atom { nucleus: Nucleus::Group(inside), .. }] if starred(&sub[sub.len() - 1]) => {
            (before, inside.as_slice())
        }
        [.., close] if close.is(')') && starred(close) => {
            let open = sub.iter().position(|a| a.is('(')).filter(|o| closing(&sub[*o..]) == Some(sub.len() - 1 - o))?;
            (&sub[..open], &sub[open + 1..sub.len() - 1])
        }
        _ => return None,
    };
    (inside.len() > 1).then_some((before, inside))
}

/// `i(k)`, `i_k` below an oracle: what is drawn.
fn drawn_below(sub: &[Atom], letter: Option<&String>, span: Span) -> Option<Vec<Token>> {
    let (name, script) = match sub {
        [Atom { nucleus: Nucleus::Name(i), sub: Some(time), sup: None, .. }] => (i, time.as_slice()),
        [Atom { nucleus: Nucleus::Name(i), sub: None, sup: None, .. }, open, time @ .., close]
            if open.is('(') && close.is(')') =>
        {
            (i, time)
        }
        _ => return None,
    };
    let (counting, halves) = shape(script).filter(|(l, _)| Some(l) == letter)?;
    let drawn = matches!(name.as_str(), "i" | "j" | "s" | "xi" | "sigma" | "pi");
    drawn.then(|| {
        std::iter::once(token(TokenKind::Name(name.clone()), span))
            .chain(index_tokens(&counting, halves, span))
            .collect()
    })
}

/// Whether a subscript is a number that is computed: `λ/L`, `λ_k t`, not the name of a set or an index.
fn is_amount(sub: &[Atom], letter: Option<&String>) -> bool {
    let mut greek = false;
    let mut only = true;
    for atom in sub {
        atom.walk(&mut |a| match &a.nucleus {
            Nucleus::Name(n) => {
                greek |= greek_letter(stem(n)).is_some_and(char::is_lowercase) || is_timed(&a.sub, letter)
            }
            Nucleus::Number(_) | Nucleus::Fraction(..) | Nucleus::Group(_) => {}
            Nucleus::Symbol(c) => only &= "*/+-()".contains(*c),
            _ => only = false,
        });
    }
    greek && only && !is_timed(&Some(sub.to_vec()), letter)
}
