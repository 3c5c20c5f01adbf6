use linnaeus::scan::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let t=std::time::Instant::now();
    let paper = Paper::new("paper.tex", &text, &mut |_| None);
    for r in &paper.expanded.remarks { println!("REMARK {r:?}"); }
    let all = paper.listings();
    for p in &all.passed { println!("{}: passed: {}", p.place.position.line, p.reason); }
    for (i,l) in all.list.iter().enumerate() {
                    let show = l.reading.report();
                    println!("#{i} {} {:?} {:?} {:?} {:?}", l.place.position.line, l.label(), l.caption, show.transfer, l.assumed);
                    for p in &l.problems { println!("    {} {} {}", p.code, p.place.position.line, p.message); }
                    for p in &l.printed { println!("    printed {} {}", p.place.position.line, format!("{:?}",p.agreement).chars().take(200).collect::<String>()); }
    }
    println!("{:?}", t.elapsed());
    let a: Vec<_> = all.list.iter().map(|l| l.reading.analysis.as_ref()).collect();
    let c = pairs::candidates(&a);
    println!("{} pairs {:?}", c.len(), t.elapsed());
    let found: Vec<Pair> = c.iter().filter_map(|&(i,j)| pairs::pair((i,a[i]?),(j,a[j]?))).collect();
    println!("{:?}", t.elapsed());
    for class in pairs::classes(&found) { println!("class {:?}", class.iter().map(|i| all.list[*i].label().map(str::to_string).unwrap_or(all.list[*i].place.position.line.to_string())).collect::<Vec<_>>()); }
    println!("undecided {}", found.iter().filter(|p| p.is_undecided()).count());
}
