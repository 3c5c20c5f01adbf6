//! The graph of the zoo as a picture: cards on a circle, family by family, and what is an instance of
//! what as curves between them. The layout is a function of the graph, so that a picture changes only
//! where the zoo does.

use super::picture::escaped;
use super::zoo::{EdgeReport, Graph, Node};
use linnaeus_algebra::{SortedMap, SortedSet};
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Okabe and Ito's colors and some more, one per family.
const COLORS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a67c00", "#4aa3df", "#7b4fb5", "#c0392b", "#5b7f2b", "#8a5a44",
    "#2f7f86", "#666666",
];

/// Colors of the families, by name.
fn colors(graph: &Graph) -> SortedMap<&str, &'static str> {
    let families: SortedSet<&str> = graph.nodes.iter().map(|n| n.family.as_str()).collect();
    families.into_iter().zip(COLORS.into_iter().cycle()).collect()
}

/// The graph for Graphviz: from instances to what contains them, families as clusters.
pub fn dot(graph: &Graph) -> String {
    let mut out =
        String::from("digraph zoo {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    for (family, color) in colors(graph) {
        let _ = writeln!(out, "  subgraph \"cluster_{family}\" {{\n    label=\"{family}\"; color=\"{color}\";");
        for n in graph.nodes.iter().filter(|n| n.family == family) {
            let (slug, name) = (&n.slug, quoted(&n.name));
            let _ = writeln!(out, "    \"{}\" [label=\"{slug}\", tooltip=\"{name}\", color=\"{color}\"];", n.id);
        }
        out.push_str("  }\n");
    }
    for e in &graph.edges {
        let (from, to) = if e.generality == "contains" { (&e.second, &e.first) } else { (&e.first, &e.second) };
        let dir = if matches!(e.generality, "equal" | "overlap") { ", dir=none" } else { "" };
        let style = match e.relation {
            "conditional" => ", style=dashed",
            "repetition" => ", style=dotted",
            _ if e.generality == "equal" => ", style=bold",
            _ => "",
        };
        let tip = if e.assuming.is_empty() { String::new() } else { format!(": {}", quoted(&e.assuming)) };
        let _ = writeln!(out, "  \"{from}\" -> \"{to}\" [tooltip=\"{}{tip}\"{dir}{style}];", e.relation);
    }
    out + "}\n"
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Room for one card on the circle.
const STEP: f64 = 12.0;
/// Room between two families, in cards.
const GAP: f64 = 3.0;
/// Room for the names.
const MARGIN: f64 = 260.0;

/// The graph as a picture that needs nothing else. Cards that are one algorithm stand side by side where
/// they are of one family and are joined by a strong line; a curve leads from an algorithm to the next
/// more general ones. What follows from other curves is left out.
pub fn svg(graph: &Graph) -> String {
    let places = Places::new(graph);
    let colors = colors(graph);
    let size = 2.0 * (places.radius + MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size:.0} {size:.0}\" width=\"{size:.0}\" height=\"{size:.0}\" \
         font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"10\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    legend(&mut out, graph, &colors);
    let _ = writeln!(out, "<g transform=\"translate({0:.0} {0:.0})\">", size / 2.0);
    let color = |n: &Node| colors[n.family.as_str()];
    out.push_str("<g fill=\"none\">\n");
    for (from, to) in covers(graph) {
        let tip = format!("{} is an instance of {}", from.name, to.name);
        let curve = places.curve(from, to);
        let style = format!("stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.45\"", color(from));
        let _ = writeln!(out, "<path d=\"{curve}\" {style}><title>{}</title></path>", escaped(&tip));
    }
    for (a, b) in twins(graph, &places) {
        let tip = format!("{} and {} are the same", a.name, b.name);
        let style = format!("stroke=\"{}\" stroke-width=\"2.5\" stroke-opacity=\"0.8\"", color(a));
        let _ = writeln!(out, "<path d=\"{}\" {style}><title>{}</title></path>", places.curve(a, b), escaped(&tip));
    }
    out.push_str("</g>\n");
    for n in &graph.nodes {
        label(&mut out, n, color(n), &places);
    }
    out + "</g>\n</svg>\n"
}

fn legend(out: &mut String, graph: &Graph, colors: &SortedMap<&str, &str>) {
    let of = |family: &str| graph.nodes.iter().filter(|n| n.family == family).count();
    let _ = writeln!(
        out,
        "<text x=\"24\" y=\"40\" font-size=\"22\" font-weight=\"bold\">The zoo: {} algorithms</text>",
        graph.nodes.len()
    );
    let lines = ["strong line: the same algorithm", "thin line: from an instance, in its color, to the more general"];
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(out, "<text x=\"24\" y=\"{}\" font-size=\"12\" fill=\"#444\">{line}</text>", 62 + 17 * i);
    }
    for (i, (family, color)) in colors.iter().enumerate() {
        let y = 108 + 19 * i;
        let _ = writeln!(out, "<circle cx=\"31\" cy=\"{}\" r=\"5.5\" fill=\"{color}\"/>", y - 4);
        let name = family.replace('_', " ");
        let _ = writeln!(out, "<text x=\"44\" y=\"{y}\" font-size=\"13\">{name} ({})</text>", of(family));
    }
}

fn label(out: &mut String, n: &Node, color: &str, places: &Places) {
    let angle = places.angle[n.id.as_str()];
    let (x, y) = at(angle, places.radius);
    let degrees = angle.to_degrees();
    // Names on the left are turned so that they are not upside down.
    let (turn, anchor, dx) = if angle.cos() < 0.0 { (degrees + 180.0, "end", -8.0) } else { (degrees, "start", 8.0) };
    let tip = escaped(&format!("{} {} ({})", n.id, n.name, n.year));
    let _ = writeln!(
        out,
        "<g transform=\"translate({x:.1} {y:.1})\"><title>{tip}</title><circle r=\"3.2\" fill=\"{color}\"/>\
         <text transform=\"rotate({turn:.2})\" x=\"{dx}\" y=\"3.5\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text></g>",
        escaped(&n.slug)
    );
}

fn at(angle: f64, radius: f64) -> (f64, f64) {
    (radius * angle.cos(), radius * angle.sin())
}

/// Where the cards stand.
struct Places<'a> {
    angle: SortedMap<&'a str, f64>,
    radius: f64,
}

impl<'a> Places<'a> {
    /// Families one after the other, within them classes by their first card.
    fn new(graph: &'a Graph) -> Self {
        let mut order: Vec<&Node> = graph.nodes.iter().collect();
        order.sort_by_key(|n| (&n.family, &n.class, &n.id));
        let families = order.chunk_by(|a, b| a.family == b.family).count() as f64;
        let total = order.len() as f64 + GAP * families;
        let mut angle = SortedMap::new();
        let mut at = 0.0;
        for (i, n) in order.iter().enumerate() {
            if i > 0 && order[i - 1].family != n.family {
                at += GAP;
            }
            angle.insert(n.id.as_str(), TAU * at / total - PI / 2.0);
            at += 1.0;
        }
        Places { angle, radius: (total * STEP / TAU).max(60.0) }
    }

    /// From card to card, deeper into the circle the farther they are apart.
    fn curve(&self, a: &Node, b: &Node) -> String {
        let (p, q) = (self.angle[a.id.as_str()], self.angle[b.id.as_str()]);
        let apart = (p - q).abs().min(TAU - (p - q).abs());
        let depth = self.radius * 0.97 * (1.0 - (apart / PI).powf(0.6));
        let ((x0, y0), (x1, y1)) = (at(p, self.radius - 4.0), at(q, self.radius - 4.0));
        let ((cx, cy), (dx, dy)) = (at(p, depth), at(q, depth));
        format!("M{x0:.1} {y0:.1}C{cx:.1} {cy:.1} {dx:.1} {dy:.1} {x1:.1} {y1:.1}")
    }
}

/// Neighbours on the circle among the cards of one class.
fn twins<'a>(graph: &'a Graph, places: &Places) -> Vec<(&'a Node, &'a Node)> {
    let mut classes: SortedMap<&str, Vec<&Node>> = SortedMap::new();
    for n in &graph.nodes {
        classes.entry(&n.class).or_default().push(n);
    }
    let mut found = Vec::new();
    for members in classes.values_mut() {
        members.sort_by(|a, b| places.angle[a.id.as_str()].total_cmp(&places.angle[b.id.as_str()]));
        found.extend(members.windows(2).map(|w| (w[0], w[1])));
    }
    found
}

/// Instances and the next more general, one pair of cards for each pair of classes.
fn covers(graph: &Graph) -> Vec<(&Node, &Node)> {
    let node: SortedMap<&str, &Node> = graph.nodes.iter().map(|n| (n.id.as_str(), n)).collect();
    let class = |id: &str| node.get(id).map(|n| n.class.as_str());
    let mut above: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
    for e in graph.edges.iter().filter(|e| e.relation != "conditional" && e.relation != "repetition") {
        let (Some(first), Some(second)) = (class(&e.first), class(&e.second)) else { continue };
        let (low, high) = match upward(e) {
            Some(true) => (first, second),
            Some(false) => (second, first),
            None => continue,
        };
        if low != high {
            above.entry(low).or_default().insert(high);
        }
    }
    let between = |low: &str, high: &str| {
        let beyond = |middle: &&str| *middle != high && above.get(*middle).is_some_and(|m| m.contains(high));
        above[low].iter().any(|m| beyond(m) && !above.get(high).is_some_and(|h| h.contains(m)))
    };
    let mut found = Vec::new();
    for (low, highs) in &above {
        found.extend(highs.iter().filter(|high| !between(low, high)).map(|high| (node[low], node[high])));
    }
    found
}

/// Whether the first is an instance of the second, or the reverse.
fn upward(e: &EdgeReport) -> Option<bool> {
    match e.generality {
        "instance" => Some(true),
        "contains" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cards with classes, and instances.
    fn sample(nodes: &[(&str, &str)], edges: &[(&str, &str, &'static str)]) -> Graph {
        let node = |&(id, class): &(&str, &str)| Node {
            id: id.to_string(),
            slug: id.to_lowercase(),
            name: format!("{id} & co"),
            family: "f".to_string(),
            year: "2000".to_string(),
            class: class.to_string(),
        };
        let edge = |&(first, second, generality): &(&str, &str, &'static str)| EdgeReport {
            first: first.to_string(),
            second: second.to_string(),
            relation: "oracle",
            generality,
            assuming: String::new(),
        };
        Graph { schema: 1, nodes: nodes.iter().map(node).collect(), edges: edges.iter().map(edge).collect() }
    }

    #[test]
    fn what_follows_is_left_out() {
        let edges = [("A", "B", "instance"), ("B", "C", "instance"), ("A", "C", "instance"), ("C", "D", "equal")];
        let graph = sample(&[("A", "A"), ("B", "B"), ("C", "C"), ("D", "C")], &edges);
        let found: Vec<(&str, &str)> = covers(&graph).iter().map(|(a, b)| (a.id.as_str(), b.id.as_str())).collect();
        assert_eq!(found, [("A", "B"), ("B", "C")]);
        assert_eq!(twins(&graph, &Places::new(&graph)).len(), 1);
    }

    #[test]
    fn pictures_are_well_formed() {
        let graph = sample(&[("A", "A"), ("B", "B")], &[("A", "B", "contains")]);
        let picture = svg(&graph);
        assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
        assert!(picture.contains("A &amp; co") && !picture.contains("A & co"));
        assert!(dot(&graph).contains("\"B\" -> \"A\""));
    }
}
