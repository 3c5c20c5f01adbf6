//! Commuting symbols back to operators: which space every state lives in, and which word of A and A'
//! every power of the symbol stands for.

use super::model::{Commuting, Model};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::{LinearSystem, Space, operator_symbol};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, Variable};

/// P⁻¹ N in words; P is 1 unless an inverse of a sum of operators is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// N.
    pub above: OperatorPolynomial,
    /// P.
    pub below: OperatorPolynomial,
}

impl Gain {
    /// A polynomial in operators.
    pub fn polynomial(above: OperatorPolynomial) -> Gain {
        Gain { above, below: OperatorPolynomial::one() }
    }

    /// Whether nothing comes through.
    pub fn is_zero(&self) -> bool {
        self.above.is_zero()
    }

    /// Whether it changes nothing.
    pub fn is_one(&self) -> bool {
        self.above == OperatorPolynomial::one() && self.below == OperatorPolynomial::one()
    }
}

impl Model<Gain> {
    /// Whether a sum of operators is inverted somewhere.
    pub fn has_inverses(&self) -> bool {
        let one = OperatorPolynomial::one();
        let inverts = |m: &Matrix<Gain>| (0..m.rows()).any(|i| m.row(i).iter().any(|e| e.below != one));
        [&self.a, &self.b, &self.c, &self.d].into_iter().any(inverts)
    }
}

/// Why symbols cannot be turned back into operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Untyped {
    /// The entry that leads from one space to another has no meaning as an operator between them.
    Entry {
        /// In which matrix.
        block: Block,
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// The work limit was reached.
    Exhausted,
}

impl From<Exhausted> for Untyped {
    fn from(_: Exhausted) -> Self {
        Untyped::Exhausted
    }
}

/// One of the four matrices.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// State to state.
    A,
    /// Answers to state.
    B,
    /// State to queries.
    C,
    /// Answers to queries.
    D,
}

/// The model over words.
pub fn over_words(model: &Model<OperatorPolynomial>) -> Model<Gain> {
    let gain = |m: &Matrix<OperatorPolynomial>| m.map(|e| Gain::polynomial(e.clone()));
    Model {
        system: model.system.clone(),
        ports: model.ports.clone(),
        constants: model.constants.clone(),
        labels: model.labels.clone(),
        spaces: model.spaces.clone(),
        steps: model.steps.clone(),
        a: gain(&model.a),
        b: gain(&model.b),
        c: gain(&model.c),
        d: gain(&model.d),
    }
}

/// The model with its operators put back.
pub fn typed(model: &Commuting) -> Result<Model<Gain>, Untyped> {
    let translator = Translator::new(&model.system);
    let states = translator.state_spaces(model);
    let inputs: Vec<Space> =
        model.ports.iter().map(|p| p.output).chain(model.constants.iter().map(|c| c.space)).collect();
    let queries: Vec<Space> = model.ports.iter().map(|p| p.input).collect();
    let table = |block: Block, m: &Matrix<RationalFunction>, to: &[Space], from: &[Space]| {
        let mut rows = Vec::new();
        for i in 0..m.rows() {
            let mut row = Vec::new();
            for j in 0..m.cols() {
                let untyped = Untyped::Entry { block, row: i, column: j };
                row.push(translator.gain(&m[(i, j)], from[j], to[i])?.ok_or(untyped)?);
            }
            rows.push(row);
        }
        Ok::<_, Untyped>(Matrix::from_fn(m.rows(), m.cols(), |i, j| rows[i][j].clone()))
    };
    Ok(Model {
        system: model.system.clone(),
        ports: model.ports.clone(),
        constants: model.constants.clone(),
        labels: model.labels.clone(),
        steps: model.steps.clone(),
        a: table(Block::A, &model.a, &states, &states)?,
        b: table(Block::B, &model.b, &states, &inputs)?,
        c: table(Block::C, &model.c, &queries, &states)?,
        d: table(Block::D, &model.d, &queries, &inputs)?,
        spaces: states.into_iter().map(Some).collect(),
    })
}

/// Whether an entry keeps or changes the sign when the symbol of the operator between two spaces does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Parity {
    Even,
    Odd,
}

struct Translator<'a> {
    system: &'a LinearSystem,
    /// The operator that leads from one space to another; by its nature there is at most one.
    rectangular: Option<usize>,
    symbols: Vec<Variable>,
}

impl<'a> Translator<'a> {
    fn new(system: &'a LinearSystem) -> Translator<'a> {
        let rectangular =
            system.operators.iter().position(|o| o.is_used() && !system.spaces.same(o.domain, o.codomain));
        Translator { system, rectangular, symbols: (0..system.operators.len()).map(operator_symbol).collect() }
    }

    /// Spaces that follow from the entries; where nothing follows, that of the first port.
    fn state_spaces(&self, model: &Commuting) -> Vec<Space> {
        let mut found = model.spaces.clone();
        let inputs: Vec<Space> =
            model.ports.iter().map(|p| p.output).chain(model.constants.iter().map(|c| c.space)).collect();
        for _ in 0..=model.order() {
            for i in (0..model.order()).filter(|&i| model.spaces[i].is_none()) {
                let known = found[i].or_else(|| {
                    let inward = (0..inputs.len()).find_map(|j| self.reached(&model.b[(i, j)], inputs[j]));
                    let along = || (0..model.order()).find_map(|j| self.reached(&model.a[(i, j)], found[j]?));
                    let outward =
                        || (0..model.calls()).find_map(|q| self.reached(&model.c[(q, i)], model.ports[q].input));
                    inward.or_else(outward).or_else(along)
                });
                found[i] = known;
            }
        }
        let any = model.ports.first().map(|p| p.input);
        found.into_iter().map(|s| s.or(any).unwrap_or_else(|| self.system.signals[0].space)).collect()
    }

    /// Where an entry that is not zero leads from a space, or comes from if it leads there.
    fn reached(&self, entry: &RationalFunction, space: Space) -> Option<Space> {
        if entry.is_zero() {
            return None;
        }
        match self.parity(entry)? {
            Parity::Even => Some(space),
            Parity::Odd => {
                let o = &self.system.operators[self.rectangular?];
                let same = |s: Space| self.system.spaces.same(s, space);
                if same(o.domain) { Some(o.codomain) } else { same(o.codomain).then_some(o.domain) }
            }
        }
    }

    fn parity(&self, entry: &RationalFunction) -> Option<Parity> {
        let Some(i) = self.rectangular else { return Some(Parity::Even) };
        let of = |p: &Polynomial| {
            let powers = p.coefficients_in(self.symbols[i]);
            let occurs = |parity: usize| powers.iter().skip(parity).step_by(2).any(|c| !c.is_zero());
            match (occurs(0), occurs(1)) {
                (_, false) => Some(Parity::Even),
                (false, true) => Some(Parity::Odd),
                (true, true) => None,
            }
        };
        let (above, below) = (of(entry.numerator())?, of(entry.denominator())?);
        Some(if above == below { Parity::Even } else { Parity::Odd })
    }

    /// The entry as an operator from one space to another; nothing if it is none.
    fn gain(&self, entry: &RationalFunction, from: Space, to: Space) -> Result<Option<Gain>, Exhausted> {
        if entry.is_zero() {
            return Ok(Some(Gain::polynomial(OperatorPolynomial::zero())));
        }
        if !self.reached(entry, from).is_some_and(|s| self.system.spaces.same(s, to)) {
            return Ok(None);
        }
        let holds = |p: &Polynomial| self.symbols.iter().any(|s| p.degree_in(*s) > 0);
        let (above, below) = (entry.numerator(), entry.denominator());
        if !holds(below) {
            let scale = RationalFunction::polynomial(below.clone()).inverse().expect("a denominator");
            let above = self.words(above, from)?.mul(&OperatorPolynomial::scalar(scale))?;
            return Ok(Some(Gain::polynomial(above)));
        }
        // An operator between different spaces has no inverse, and no power of it has; sums may have one.
        let powers = |i: usize| below.coefficients_in(self.symbols[i]).iter().take_while(|c| c.is_zero()).count();
        if self.rectangular.is_some_and(|i| powers(i) > 0) {
            return Ok(None);
        }
        let above = self.words(above, from)?;
        let below = self.words(below, to)?;
        Ok(Some(match below.inverse()? {
            Some(inverse) => Gain::polynomial(inverse.mul(&above)?),
            // I − t A'A rather than t A'A − I.
            None if below.terms()[0].1.numerator().leading_coefficient() < 0.into() => {
                Gain { above: above.neg(), below: below.neg() }
            }
            None => Gain { above, below },
        }))
    }

    /// The polynomial on vectors of a space.
    fn words(&self, p: &Polynomial, from: Space) -> Result<OperatorPolynomial, Exhausted> {
        let mut sum = OperatorPolynomial::zero();
        for (monomial, coefficient) in p.terms() {
            let (operators, scalars): (Vec<_>, Vec<_>) =
                monomial.into_iter().partition(|(v, _)| self.symbols.contains(v));
            let scalar = Polynomial::from_terms([(scalars, coefficient.clone())]);
            let mut term = OperatorPolynomial::scalar(RationalFunction::polynomial(scalar));
            for i in 0..self.symbols.len() {
                let exponent = operators.iter().find(|(v, _)| *v == self.symbols[i]).map_or(0, |(_, n)| *n as i32);
                for letter in self.letters(i, exponent, from) {
                    term = OperatorPolynomial::letter(letter).mul(&term)?;
                }
            }
            sum = sum.add(&term)?;
        }
        Ok(sum)
    }

    /// A power of one operator's symbol, the letter that acts first first.
    fn letters(&self, i: usize, exponent: i32, from: Space) -> Vec<Letter> {
        let o = &self.system.operators[i];
        let letter = |j: i32| {
            let adjoint = if self.rectangular == Some(i) {
                self.system.spaces.same(o.domain, from) != (j % 2 == 0)
            } else {
                // Where only A' occurs, the symbol is that of A'.
                o.is_adjoint_only()
            };
            Letter { class: o.class, operator: i as u16, adjoint, inverse: false }
        };
        (0..exponent).map(letter).collect()
    }
}
