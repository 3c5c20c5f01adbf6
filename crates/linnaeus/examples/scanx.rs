use linnaeus::scan::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let paper = Paper::new("paper.tex", &text, &mut |_| None);
    for r in &paper.expanded.remarks { println!("REMARK {r:?}"); }
    for i in 0..paper.sites.len() {
        for f in paper.read(i) {
            match f {
                Found::Nothing => {}
                Found::Passed(p, why) => println!("{}: passed: {why}", p.position.line),
                Found::Listing(l) => {
                    let show = l.reading.report();
                    println!("{} {:?} {:?} {:?}", l.place.position.line, l.label(), l.caption, show.transfer);
                    for p in &l.problems { println!("    {} {} {}", p.code, p.place.position.line, p.message); }
                    if show.transfer.is_none() { for line in &show.reading.lines { println!("      {} {:?} {:?}", line.role, line.text, line.read); } }
                }
            }
        }
    }
}
