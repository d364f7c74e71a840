//! throwaway
#![allow(clippy::unwrap_used)]
use griot_eval::{dataset, workspace::Workspace};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let set = dataset::Set::read(std::path::Path::new(&a[1])).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut w = Workspace::create_volatile(dir.path()).unwrap();
    let pool = set.units[0].pool.clone();
    let units: Vec<_> = set.units.iter().filter(|u| u.pool == pool).collect();
    w.ingest(&units).unwrap();
    let s = w.engine().unwrap().status().unwrap();
    println!("{:?}", s.counts);
    println!("{:?}", s.top_entities.iter().map(|h| (h.entity.name.clone(), h.degree)).collect::<Vec<_>>());
    let n: usize = a.get(2).and_then(|n| n.parse().ok()).unwrap_or(3);
    for q in set.queries.iter().filter(|q| q.pool == pool).take(n) {
        let t = std::time::Instant::now();
        let r = w.ask(&q.text, 10, false).unwrap();
        println!(
            "\n== {} [{:?}] gold {:?} missing {:?} cand {} in {:?}",
            q.text,
            r.understanding.intent,
            q.gold,
            r.missing,
            r.candidates,
            t.elapsed()
        );
        println!("   entities {:?}", r.understanding.entities.iter().map(|e| e.name.clone()).collect::<Vec<_>>());
        for x in &r.results {
            let id = w.unit(x.memory.id).unwrap();
            println!(
                "  {} {:.3} {} {} | {} | {}",
                if q.gold.iter().any(|g| g == id) { "*" } else { " " },
                x.score,
                id,
                x.why_included.name(),
                x.signals.iter().map(|s| format!("{}={:.2}", s.name, s.value)).collect::<Vec<_>>().join(" "),
                x.memory.text.chars().take(80).collect::<String>().replace('\n', " ")
            );
            for h in &x.path {
                println!("       {} -{}-> {}", h.from.name(), h.kind.name(), h.to.name());
            }
        }
    }
}
