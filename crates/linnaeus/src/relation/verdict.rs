//! What a comparison can come to.

use super::behavior::Side;
use crate::operator::OperatorPolynomial;
use crate::syntax::ast::FunctionTrait;
use crate::system::Oracle;
use crate::transfer::Analysis;
use crate::transfer::graph::Special;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Rational, RationalFunction, SortedMap, SortedSet, Variable};

/// How two algorithms are related, strongest first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The same calls of the same oracles.
    #[default]
    Oracle,
    /// The same calls, some of them earlier or later.
    Shift,
    /// The same up to a renaming that exchanges oracles.
    Permutation,
    /// The same in other oracles of the same functions.
    Lft,
    /// The same up to filters on the signals of linear oracles.
    LinearOracle,
    /// The same up to positive scalings of the signals of homogeneous oracles.
    Homogeneous,
    /// An iteration of the one is several of the other.
    Repetition,
    /// The same where a function or an operator is special.
    Conditional,
}

impl Relation {
    /// All of them, strongest first.
    pub const ALL: [Relation; 8] = [
        Relation::Oracle,
        Relation::Shift,
        Relation::Permutation,
        Relation::Lft,
        Relation::LinearOracle,
        Relation::Homogeneous,
        Relation::Repetition,
        Relation::Conditional,
    ];

    /// The relation of a word.
    pub fn from_word(word: &str) -> Option<Relation> {
        Relation::ALL.into_iter().find(|r| r.word() == word)
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Relation::Oracle => "oracle",
            Relation::Shift => "shift",
            Relation::Permutation => "permutation",
            Relation::Lft => "lft",
            Relation::LinearOracle => "linear-oracle",
            Relation::Homogeneous => "homogeneous",
            Relation::Repetition => "repetition",
            Relation::Conditional => "conditional",
        }
    }
}

/// How much of the one family lies in the other.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generality {
    /// Each contains the other.
    #[default]
    Equal,
    /// The first is an instance of the second.
    Instance,
    /// The first contains the second.
    Contains,
    /// They meet.
    Overlap,
}

impl Generality {
    /// The generality of a word.
    pub fn from_word(word: &str) -> Option<Generality> {
        use Generality::*;
        [Equal, Instance, Contains, Overlap].into_iter().find(|g| g.word() == word)
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Generality::Equal => "equal",
            Generality::Instance => "instance",
            Generality::Contains => "contains",
            Generality::Overlap => "overlap",
        }
    }
}

/// Which of two families may lie in the other.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Directions {
    /// The first may be an instance of the second.
    pub forth: bool,
    /// The second may be an instance of the first.
    pub back: bool,
}

impl Directions {
    /// Both.
    pub const ALL: Directions = Directions { forth: true, back: true };

    /// Whether there is any.
    pub fn any(self) -> bool {
        self.forth || self.back
    }

    /// Whether there are both.
    pub fn all(self) -> bool {
        self.forth && self.back
    }

    /// Where either says so.
    pub fn or(self, other: Directions) -> Directions {
        Directions { forth: self.forth || other.forth, back: self.back || other.back }
    }

    /// Where both say so.
    pub fn and(self, other: Directions) -> Directions {
        Directions { forth: self.forth && other.forth, back: self.back && other.back }
    }

    /// How much of the one family lies in the other, if they meet.
    pub fn generality(self) -> Generality {
        match (self.forth, self.back) {
            (true, true) => Generality::Equal,
            (true, false) => Generality::Instance,
            (false, true) => Generality::Contains,
            (false, false) => Generality::Overlap,
        }
    }
}

impl Generality {
    /// Which of the two families lies in the other.
    pub fn directions(self) -> Directions {
        use Generality::*;
        Directions { forth: matches!(self, Equal | Instance), back: matches!(self, Equal | Contains) }
    }
}

/// Something that must be assumed of the functions or operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// A function of one side is special.
    Function(Side, String, Special),
    /// An operator of one side is this multiple of the identity.
    Identity(Side, usize, RationalFunction),
    /// Two functions of one side are the same: the second is the first.
    Same(Side, String, String),
    /// An operator of one side is its own adjoint, as one of the other side is declared to be.
    Symmetric(Side, usize),
    /// Two operators of one side commute, as two of the other side are declared to.
    Commuting(Side, usize, usize),
    /// A constant vector of one side is zero.
    ZeroConstant(Side, String),
    /// Oracles of a function of one side are what those of the other are declared to be.
    Trait(Side, String, FunctionTrait),
    /// A number is positive.
    Positive(RationalFunction),
    /// The functions of the first are the conjugates of those of the second.
    Dual(Vec<Conjugate>),
    /// A function of the first is called what is the conjugate of one of the second.
    Conjugate(Conjugate),
    /// The samples of the one are those of the other, of another name or at another time.
    Sample(SampleMap),
}

impl Assumption {
    /// Whether it says how functions and samples are named, and assumes nothing.
    pub fn is_reading(&self) -> bool {
        matches!(self, Assumption::Dual(_) | Assumption::Conjugate(_) | Assumption::Sample(_)) && !self.is_condition()
    }

    /// Whether it restricts what the algorithms are applied to, rather than say how they are read.
    pub fn is_condition(&self) -> bool {
        match self {
            Assumption::Positive(_) | Assumption::Dual(_) | Assumption::Conjugate(_) => false,
            // What is declared makes the one text special.
            Assumption::Symmetric(..) | Assumption::Commuting(..) => false,
            // Of one name they are one path.
            Assumption::Sample(map) => map.first == map.second && map.by != 0 && map.every.is_none(),
            _ => true,
        }
    }
}

/// Samples of the second algorithm as samples of the first: `ζ[k]` is `ξ[k + by]`. Where the first is repeated `ζ[k]` is
/// `ξ[n k + by]`, and where the second is, the samples of the first are such of the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampleMap {
    /// The first's.
    pub first: String,
    /// The second's.
    pub second: String,
    /// How much later they are in the first.
    pub by: i64,
    /// The side that is repeated, and how often.
    pub every: Option<(Side, usize)>,
}

/// A function of the first algorithm is the conjugate of one of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjugate {
    /// The first's.
    pub first: String,
    /// The second's.
    pub second: String,
    /// Of what its argument is.
    pub sign: Sign,
}

impl Conjugate {
    /// The function that is the conjugate, and that of which it is: the one whose own text calls its conjugate.
    pub fn naming(&self, first: &Analysis) -> [(Side, &str); 2] {
        let sides = [(Side::First, &*self.first), (Side::Second, &*self.second)];
        let is_called = first.channels.iter().any(|c| c.oracle.function == self.first && c.oracle.conjugate);
        if is_called { [sides[1], sides[0]] } else { sides }
    }
}

/// The sign of an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// g*.
    Plus,
    /// g*(−·).
    Minus,
}

/// What proves that two algorithms are related: in the first's channel order, H_A = Θ H_B Θ⁻¹ with
/// Θ = diag(z^(-m_i) c_i), after B was written in A's oracles and one of the two was repeated.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// How they are related.
    pub relation: Relation,
    /// How general that is.
    pub generality: Generality,
    /// Whether it was not decided if the other direction holds, too.
    pub is_open: bool,
    /// Which algorithm is repeated, and how often. Its i-th channel in the s-th iteration has
    /// number s p + i, where p is the number of its channels.
    pub repeat: Option<(Side, usize)>,
    /// Pairs of channels, first's and second's.
    pub channel_map: Vec<(usize, usize)>,
    /// m, one entry per pair.
    pub shift: Vec<i64>,
    /// c, one entry per pair, in both sides' symbols; 1 where nothing is filtered.
    pub filters: Vec<RationalFunction>,
    /// How pairs of the second's oracle become pairs of the first's, one matrix per channel pair.
    pub matrices: Vec<Matrix<RationalFunction>>,
    /// The second's parameters and operators in terms of the first's, every way.
    pub branches: Vec<Branch>,
    /// The second's operators in terms of the first's, with unknown coefficients solved in `branches`.
    pub operators: Vec<(Variable, RationalFunction)>,
    /// The same with products in their order and adjoints where they stand: operators of one side as
    /// polynomials in those of the other.
    pub images: Vec<(Variable, OperatorPolynomial)>,
    /// How the sequences of numbers hang together.
    pub sequences: Sequences,
    /// What is assumed.
    pub assumptions: Vec<Assumption>,
    /// How the constant vectors hang together, on every branch; none where there are none.
    pub constants: Vec<ConstantMap>,
    /// Where both texts use the same names: whether it holds with the same values.
    pub same_parameters: Option<bool>,
    /// The same where operators are other multiples of the identity.
    pub others: Vec<Witness>,
}

impl Witness {
    /// The constant vectors on the first branch.
    pub fn constant_map(&self) -> ConstantMap {
        let none = ConstantMap { given: Side::First, free: Vec::new(), images: Vec::new() };
        self.constants.first().cloned().unwrap_or(none)
    }

    /// The same with the n-th branch as the only one.
    pub fn on_way(&self, n: usize) -> Witness {
        let constants = self.constants.get(n).into_iter().cloned().collect();
        Witness { branches: vec![self.branches[n].clone()], constants, ..self.clone() }
    }

    /// Whether the one is the other for conjugate functions.
    pub fn is_dual(&self) -> bool {
        self.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)))
    }

    /// Of what a function of the second is the conjugate in the first, if it is.
    pub fn conjugate(&self, second: &str) -> Option<&Conjugate> {
        let pairs = self.assumptions.iter().flat_map(|a| match a {
            Assumption::Dual(pairs) => pairs.as_slice(),
            Assumption::Conjugate(pair) => std::slice::from_ref(pair),
            _ => &[],
        });
        pairs.into_iter().find(|pair| pair.second == second)
    }

    /// By what an operator that is assumed to be a multiple of the identity multiplies.
    pub fn multiple(&self, side: Side, operator: usize) -> Option<&RationalFunction> {
        self.assumptions.iter().find_map(|a| match a {
            Assumption::Identity(s, i, factor) if (*s, *i) == (side, operator) => Some(factor),
            _ => None,
        })
    }

    /// Whether one says in one direction what the other says in the other.
    pub fn completes(&self, other: &Witness) -> bool {
        let [x, y] = [self, other].map(|w| w.generality);
        let opposite = matches!(
            (x, y),
            (Generality::Instance, Generality::Contains) | (Generality::Contains, Generality::Instance)
        );
        // If A lies in a part of B and B in a part of A, A is that part.
        let is_larger = |w: &Witness| match w.generality {
            Generality::Instance => w.assumptions.iter().all(|a| matches!(a, Assumption::Identity(Side::Second, ..))),
            _ => w.assumptions.iter().all(|a| matches!(a, Assumption::Identity(Side::First, ..))),
        };
        opposite
            && is_larger(self)
            && is_larger(other)
            && self.relation == other.relation
            && self.repeat == other.repeat
    }

    /// How many iterations of a side are taken as one.
    pub fn times(&self, side: Side) -> usize {
        self.repeat.filter(|(s, _)| *s == side).map_or(1, |(_, n)| n)
    }
}

/// Constant vectors of one side in terms of the other's.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantMap {
    /// The other side: its constants may be anything but where they are assumed to be zero.
    pub given: Side,
    /// Those that are not.
    pub free: Vec<usize>,
    /// The one side's constants, each as a combination of the free ones. Operators that commute are symbols among
    /// the coefficients.
    pub images: Vec<Vec<OperatorPolynomial>>,
}

impl ConstantMap {
    /// Whether every constant is one of the other side's, or zero.
    pub fn is_plain(&self) -> bool {
        self.images.iter().flatten().all(|c| c.is_zero() || *c == OperatorPolynomial::one())
    }

    /// All constants of a side, of which there are so many, as combinations of the free ones.
    pub fn of(&self, side: Side, count: usize) -> Matrix<OperatorPolynomial> {
        let (one, zero) = (OperatorPolynomial::one(), OperatorPolynomial::zero());
        let own = |i: usize, j: usize| if self.free[j] == i { one.clone() } else { zero.clone() };
        Matrix::from_fn(count, self.free.len(), |i, j| match side == self.given {
            true => own(i, j),
            false => self.images[i][j].clone(),
        })
    }
}

impl ConstantMap {
    /// The same where operators commute.
    pub fn commuting(&self, side: Side, count: usize) -> Option<Matrix<RationalFunction>> {
        let all = self.of(side, count);
        let scalar = |e: &OperatorPolynomial| e.as_scalar();
        let rows: Option<Vec<Vec<RationalFunction>>> =
            (0..count).map(|i| all.row(i).iter().map(scalar).collect()).collect();
        let rows = rows?;
        Some(Matrix::from_fn(count, self.free.len(), |i, j| rows[i][j].clone()))
    }
}

/// Sequences of numbers, the second's counted on from the first's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    /// For every sequence of the second its number, or that of the first's that it is.
    pub place: Vec<usize>,
    /// Those that are solved for, in terms of the others at the same time.
    pub laws: Vec<(usize, RationalFunction)>,
    /// Those of which only that is determined how they go on: what they are one iteration later.
    pub rules: Vec<(usize, RationalFunction)>,
    /// Those that may be anything.
    pub any: Vec<usize>,
    /// What square roots are that are solved for, where it may be negative.
    pub roots: Vec<RationalFunction>,
}

/// Those of texts whose sequences have nothing to do with each other.
pub static NO_SEQUENCES: Sequences =
    Sequences { place: Vec::new(), laws: Vec::new(), rules: Vec::new(), any: Vec::new(), roots: Vec::new() };

/// Why two algorithms are not related: what differs in the reading of the second that comes nearest
/// to the first, and a run on which it shows.
#[derive(Clone, Debug)]
pub struct Obstruction {
    /// What differs.
    pub invariant: Invariant,
    /// The reading; none where the oracles cannot even be paired.
    pub nearest: Option<Nearest>,
    /// A run of the first that the second cannot follow, or why there is none.
    pub run: Result<Refutation, NoRun>,
    /// How they are related if sequences of one name need not be the same.
    pub renamed: Option<Box<Witness>>,
}

impl Default for Obstruction {
    fn default() -> Obstruction {
        Obstruction { invariant: Invariant::default(), nearest: None, run: Err(NoRun::Reading), renamed: None }
    }
}

/// Why no run is shown on which two algorithms part.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoRun {
    /// There is no reading in which the calls could be compared.
    Reading,
    /// The calls of an iteration of the one cannot be paired with those of the other.
    Unpaired,
    /// They are related in another way than was asked for.
    Related,
    /// The calls are the same, but not the oracles: other linear maps are inside.
    Oracles,
    /// No simple numbers were found.
    Numbers,
    /// Square roots are not rational.
    Roots,
    /// Sequences hold functions whose values are not rational.
    Functions,
    /// The work limit was reached.
    Exhausted,
}

impl NoRun {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            NoRun::Reading => "no reading of B makes its calls comparable with those of A",
            NoRun::Unpaired => {
                "a run compares the calls of A with those of B, and the calls of their iterations cannot be paired"
            }
            NoRun::Related => "they are related, only not in the way asked for, and B can make the calls of A",
            NoRun::Oracles => "B can make the calls of A, only their answers minimize something else",
            NoRun::Numbers => "no simple numbers were found",
            NoRun::Roots => "square roots in the numbers that change with the index are irrational",
            NoRun::Functions => "the numbers that change with the index are irrational",
            NoRun::Exhausted => "the work limit was reached",
        }
    }
}

impl From<Exhausted> for NoRun {
    fn from(_: Exhausted) -> NoRun {
        NoRun::Exhausted
    }
}

/// What two algorithms do not have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Invariant {
    /// No pairing of the channels respects their oracles: how often each kind of oracle is called.
    Oracles {
        /// The first's.
        first: Vec<(Oracle, usize)>,
        /// The second's.
        second: Vec<(Oracle, usize)>,
        /// Which one would have to be repeated, and how often, for the numbers of calls to agree.
        repeat: Option<(Side, usize)>,
    },
    /// In the first's oracles, the second's answers would not determine its queries.
    Singular,
    /// They are related, but not in the way that was asked for.
    Relation(Relation),
    /// A query hears of an answer in the one algorithm and never in the other.
    Pattern,
    /// Going round some channels takes another number of iterations, whatever the shift.
    Delays {
        /// The first's channels, each acting on the one before.
        cycle: Vec<usize>,
        /// How long it takes in the first.
        first: i64,
        /// The least and the most that it can take in the second.
        second: (i64, i64),
    },
    /// The orders of the minimal realizations.
    Order(usize, usize),
    /// The poles of an entry.
    Poles,
    /// Entries, if only for all parameter values together.
    #[default]
    Entries,
}

impl Invariant {
    /// The word in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Invariant::Oracles { .. } => "oracles",
            Invariant::Singular => "singular",
            Invariant::Relation(_) => "relation",
            Invariant::Pattern => "pattern",
            Invariant::Delays { .. } => "delays",
            Invariant::Order(..) => "order",
            Invariant::Poles => "poles",
            Invariant::Entries => "entries",
        }
    }
}

/// A reading of the second algorithm as the first: H_A against Δ_m H_B Δ_m⁻¹.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    /// Pairs of channels, first's and second's.
    pub channel_map: Vec<(usize, usize)>,
    /// m, one entry per pair.
    pub shift: Vec<i64>,
    /// How pairs of the second's oracle become pairs of the first's.
    pub matrices: Vec<Matrix<RationalFunction>>,
    /// Operators of the one side in terms of the other's.
    pub operators: Vec<(Variable, RationalFunction)>,
    /// The same with products in their order and adjoints where they stand, where operators do not commute.
    pub images: Vec<(Variable, OperatorPolynomial)>,
    /// For every sequence of the second its number, or that of the first's that it is.
    pub place: Vec<usize>,
    /// Parameters for which as much agrees as can.
    pub values: Option<Branch>,
    /// What differs then, in the first's channel order.
    pub entries: Vec<Difference>,
    /// Where all agrees, but an oracle is silent or both algorithms are smaller than they are.
    pub degenerate: Vec<Branch>,
    /// Minimal orders.
    pub orders: (usize, usize),
    /// How many readings there are.
    pub readings: usize,
}

impl Nearest {
    /// The reading of a relation, without values.
    pub fn of([first, second]: [&Analysis; 2], witness: &Witness) -> Nearest {
        Nearest {
            channel_map: witness.channel_map.clone(),
            shift: witness.shift.clone(),
            matrices: witness.matrices.clone(),
            operators: witness.operators.clone(),
            images: witness.images.clone(),
            place: witness.sequences.place.clone(),
            orders: (first.minimal_order, second.minimal_order),
            readings: 1,
            ..Nearest::default()
        }
    }

    /// How the sequences of numbers are paired.
    pub fn sequences(&self) -> Sequences {
        Sequences { place: self.place.clone(), ..Sequences::default() }
    }
}

/// An entry of H that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Whose query, by pair of channels.
    pub row: usize,
    /// Whose answer, by pair of channels.
    pub column: usize,
    /// What it is in the first and in the second.
    pub values: Compared,
}

/// Two entries.
#[derive(Clone, Debug, PartialEq)]
pub enum Compared {
    /// As functions of z, with the nearest parameters.
    Transfer(RationalFunction, RationalFunction),
    /// After so many iterations, where operators do not commute; parameters as they are.
    Markov(usize, OperatorPolynomial, OperatorPolynomial),
    /// The steps of a pair of oracles.
    Step(RationalFunction, RationalFunction),
    /// The linear maps inside a pair of argmins.
    Map(OperatorPolynomial, OperatorPolynomial),
}

/// A run of the first algorithm whose calls the second cannot make, wherever it starts.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Numbers for all parameters of both sides, operators that are numbers, and sequences by time.
    pub numbers: SortedMap<Variable, Rational>,
    /// Operators that are matrices.
    pub operators: SortedMap<Variable, Matrix<RationalFunction>>,
    /// The first's constant vectors; those of the second may be any.
    pub constants: Vec<Vec<Rational>>,
    /// Functions of the first that were declared linear, and the matrices of their gradients.
    pub linear: Vec<(String, Matrix<RationalFunction>)>,
    /// Where the first's states as written start.
    pub start: Vec<Vec<Rational>>,
    /// The first's calls without which the others are not what they are, the one at which they part behind all others.
    pub calls: Vec<Exchange>,
    /// Those of them, by iteration and channel, that the second has not made when they part.
    pub others: SortedSet<(usize, usize)>,
    /// How pairs of the second's oracles are pairs of the first's, one matrix per pair of channels: where the reading
    /// takes oracles of different steps for one, these are told apart.
    pub matrices: Vec<Matrix<RationalFunction>>,
    /// The pair of channels whose queries differ.
    pub pair: usize,
    /// In which iteration of the second, from 0.
    pub iteration: usize,
    /// The index in iteration 0.
    pub origin: i64,
    /// The prime modulo which all numbers are taken, where square roots are irrational.
    pub modulus: Option<u32>,
    /// What the second would have to ask, and what it asks if it has made all calls before.
    pub queries: (Vec<Rational>, Vec<Rational>),
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// In which iteration, from 0.
    pub iteration: usize,
    /// Of which channel.
    pub channel: usize,
    /// The query.
    pub query: Vec<Rational>,
    /// The answer.
    pub answer: Vec<Rational>,
}

/// A limit that stopped the search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The work limit.
    Work,
    /// Equations that the solver could not split.
    Equations,
    /// Too many shifts or pairings.
    Candidates,
    /// Sequences that are given by different recursions.
    Recursions,
    /// Functions of numbers that are sought.
    Functions,
    /// Neither calls an oracle, and algorithms are told apart by their calls.
    Calls,
    /// Operators that may be functions of others that are not tried, as roots.
    Operators,
    /// Inverses of sums where operators do not commute.
    Inverse,
    /// Filters of linear oracles where operators do not commute or numbers change with the index.
    Filters,
    /// The re-check contradicted the answer.
    Recheck,
}

/// The answer of a comparison.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// They are related.
    Related(Box<Witness>),
    /// They are not.
    Distinct(Box<Obstruction>),
    /// It was not decided.
    Undecided(Limit),
}
