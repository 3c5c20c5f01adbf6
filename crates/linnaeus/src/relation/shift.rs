//! Which time shifts can relate two transfer matrices.

use crate::system::Z;
use linnaeus_algebra::{Matrix, Polynomial, RationalFunction};

/// The degree of the denominator minus that of the numerator; none for zero.
pub fn relative_degree(h: &RationalFunction) -> Option<i64> {
    (!h.is_zero()).then(|| degree(h.denominator()) - degree(h.numerator()))
}

fn degree(p: &Polynomial) -> i64 {
    i64::from(p.degree_in(Z))
}

/// No shift is larger than this; the bounds below are far smaller for anything that people write.
const FAR: i64 = 1_000;
/// At most this many shift vectors are tried.
const MANY: usize = 4_000;

/// Shift vectors, each with the least entry of every connected component 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shifts {
    /// The vectors.
    pub vectors: Vec<Vec<i64>>,
    /// Whether these are all.
    pub complete: bool,
    /// Whether there are infinitely many (some channels act on others that never act back).
    pub infinite: bool,
}

impl Shifts {
    const NONE: Shifts = Shifts { vectors: Vec::new(), complete: true, infinite: false };
}

/// Whose parameters may still be chosen when G is compared with H.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Those of G.
    First,
    /// Those of H.
    Second,
    /// Those of both.
    Both,
}

/// All m that can make G = Δ_m H Δ_m⁻¹, Δ_m = diag(z^(-m_i)), where some parameters may still be
/// chosen: an entry then has at least its generic relative degree, and at most the degree of its
/// denominator.
pub fn candidates(g: &Matrix<RationalFunction>, h: &Matrix<RationalFunction>, chosen: Chosen) -> Shifts {
    bounds_where(g, h, chosen).map_or(Shifts::NONE, enumerate)
}

/// Whether there is any such m.
pub fn possible(g: &Matrix<RationalFunction>, h: &Matrix<RationalFunction>, chosen: Chosen) -> bool {
    bounds_where(g, h, chosen).is_some_and(|mut bound| close(&mut bound))
}

fn bounds_where(g: &Matrix<RationalFunction>, h: &Matrix<RationalFunction>, chosen: Chosen) -> Option<Vec<Vec<i64>>> {
    let p = g.rows();
    match chosen {
        Chosen::Second => bounds(p, &|i, j| lags(&g[(i, j)], &h[(i, j)])),
        // H = Δ_{-m} G Δ_{-m}⁻¹.
        Chosen::First => {
            let bound = bounds(p, &|i, j| lags(&h[(i, j)], &g[(i, j)]))?;
            Some((0..p).map(|i| (0..p).map(|j| bound[j][i]).collect()).collect())
        }
        Chosen::Both => Some(bounds_of_both(g, h)),
    }
}

fn lags(g: &RationalFunction, h: &RationalFunction) -> Lags {
    Lags { wanted: relative_degree(g), least: relative_degree(h), most: degree(h.denominator()) }
}

/// The delays of one entry of two transfer matrices.
pub struct Lags {
    /// That of the first; none if it is zero.
    pub wanted: Option<i64>,
    /// The least that the second can have; none if it is zero.
    pub least: Option<i64>,
    /// The most that it can have.
    pub most: i64,
}

/// All m that can make the delays agree.
pub fn between(p: usize, lags: &dyn Fn(usize, usize) -> Lags) -> Shifts {
    bounds(p, lags).map_or(Shifts::NONE, enumerate)
}

/// m_i − m_j ≤ bound[i][j]; none if an entry of the second is zero where the first's is not.
fn bounds(p: usize, lags: &dyn Fn(usize, usize) -> Lags) -> Option<Vec<Vec<i64>>> {
    let mut bound = vec![vec![FAR; p]; p];
    for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        let Lags { wanted: Some(r), least, most } = lags(i, j) else {
            continue;
        };
        bound[i][j] = bound[i][j].min(r - least?);
        bound[j][i] = bound[j][i].min(most - r);
    }
    Some(bound)
}

/// The same where either entry may become zero.
fn bounds_of_both(g: &Matrix<RationalFunction>, h: &Matrix<RationalFunction>) -> Vec<Vec<i64>> {
    let p = g.rows();
    let mut bound = vec![vec![FAR; p]; p];
    for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        let (g, h) = (&g[(i, j)], &h[(i, j)]);
        if let (Some(r), Some(s)) = (relative_degree(g), relative_degree(h)) {
            bound[i][j] = bound[i][j].min(degree(g.denominator()) - s);
            bound[j][i] = bound[j][i].min(degree(h.denominator()) - r);
        }
    }
    bound
}

/// All m with Δ_m H Δ_m⁻¹ proper: −r_ij ≤ m_i − m_j ≤ r_ji.
///
/// ```
/// # use linnaeus::relation::shift::proper;
/// # use linnaeus::transfer::Transfer;
/// let pd3o = "x[k] = prox_{tau f}(w[k]); s[k+1] = prox_{sigma g*}((I - tau*sigma*A*A')*s[k] \
///     + sigma*A*(2*x[k] - w[k] - tau*grad h(x[k]))); w[k+1] = x[k] - tau*grad h(x[k]) - tau*A'*s[k+1]";
/// let Transfer::Commuting { h, .. } = linnaeus::read(pd3o).analysis.unwrap().transfer else { panic!() };
/// assert_eq!(proper(&h).vectors.len(), 3);
/// ```
pub fn proper(h: &Matrix<RationalFunction>) -> Shifts {
    proper_where(h.rows(), &|i, j| relative_degree(&h[(i, j)]))
}

/// The same, where the relative degrees of the entries are known; none for zero.
pub fn proper_where(p: usize, degree: &dyn Fn(usize, usize) -> Option<i64>) -> Shifts {
    // Entry (j, i) is multiplied by z^(m_i − m_j).
    let bound = |i: usize, j: usize| if i == j { FAR } else { degree(j, i).unwrap_or(FAR) };
    enumerate((0..p).map(|i| (0..p).map(|j| bound(i, j)).collect()).collect())
}

/// Integer points of m_i − m_j ≤ bound[i][j], per component; components that are bounded on one
/// side only give infinitely many, of which the nearest to 0 are kept.
fn enumerate(mut bound: Vec<Vec<i64>>) -> Shifts {
    let p = bound.len();
    let linked: Vec<Vec<bool>> =
        (0..p).map(|i| (0..p).map(|j| bound[i][j] < FAR || bound[j][i] < FAR).collect()).collect();
    if !close(&mut bound) {
        return Shifts::NONE;
    }
    let component = components(&linked);
    let infinite = (0..p).any(|i| (0..p).any(|j| component[i] == component[j] && bound[i][j] >= FAR / 2));
    let mut vectors: Vec<Vec<i64>> = vec![Vec::new()];
    let mut complete = !infinite;
    for i in 0..p {
        let mut longer = Vec::new();
        for v in &vectors {
            let (mut low, mut high) = (-FAR, FAR);
            match (0..i).find(|&j| component[j] == component[i]) {
                None => (low, high) = (0, 0),
                Some(_) => {
                    for j in (0..i).filter(|&j| component[j] == component[i]) {
                        low = low.max(v[j] - bound[j][i]);
                        high = high.min(v[j] + bound[i][j]);
                    }
                }
            }
            if high - low > FAR / 2 {
                (low, high) = (low.max(-3), high.min(3));
            }
            longer.extend((low..=high).map(|m| v.iter().copied().chain([m]).collect::<Vec<i64>>()));
        }
        if longer.len() > MANY {
            longer.truncate(MANY);
            complete = false;
        }
        vectors = longer;
    }
    for v in &mut vectors {
        for c in 0..p {
            let least = (0..p).filter(|&i| component[i] == c).map(|i| v[i]).min().unwrap_or(0);
            (0..p).filter(|&i| component[i] == c).for_each(|i| v[i] -= least);
        }
    }
    vectors.sort_by_key(|v| (v.iter().map(|m| m.abs()).sum::<i64>(), v.clone()));
    vectors.dedup();
    Shifts { vectors, complete, infinite }
}

/// Adds what the bounds imply; false if they contradict each other.
fn close(bound: &mut [Vec<i64>]) -> bool {
    let p = bound.len();
    (0..p).for_each(|i| bound[i][i] = 0);
    for k in 0..p {
        for i in 0..p {
            for j in 0..p {
                bound[i][j] = bound[i][j].min(bound[i][k] + bound[k][j]);
            }
        }
    }
    (0..p).all(|i| bound[i][i] >= 0)
}

/// The least channel that each is linked to.
pub fn components(linked: &[Vec<bool>]) -> Vec<usize> {
    let p = linked.len();
    let mut component: Vec<usize> = (0..p).collect();
    for _ in 0..p {
        for i in 0..p {
            for j in 0..p {
                if linked[i][j] {
                    let least = component[i].min(component[j]);
                    (component[i], component[j]) = (least, least);
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    fn z() -> RationalFunction {
        RationalFunction::variable(Z)
    }

    fn one_over(n: i64) -> RationalFunction {
        z().sub(&RationalFunction::integer(n)).unwrap().inverse().unwrap()
    }

    #[test]
    fn disconnected_channels_are_not_shifted() {
        let o = RationalFunction::zero();
        let h = Matrix::from_rows(vec![vec![one_over(1), o.clone()], vec![o, one_over(0)]]);
        assert_eq!(proper(&h), Shifts { vectors: vec![vec![0, 0]], complete: true, infinite: false });
    }

    #[test]
    fn one_way_influence_has_infinitely_many() {
        let o = RationalFunction::zero();
        let h = Matrix::from_rows(vec![vec![one_over(1), one_over(0)], vec![o, one_over(1)]]);
        let found = proper(&h);
        assert!(found.infinite && !found.complete);
        assert!(found.vectors.contains(&vec![0, 1]) && found.vectors.contains(&vec![2, 0]));
    }
}
