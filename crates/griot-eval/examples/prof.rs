//! throwaway
#![allow(clippy::unwrap_used)]
use griot_eval::{generator::Generator, workspace::Workspace};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let asks: usize = a[2].parse().unwrap();
    let reps: usize = a[3].parse().unwrap();
    let dir = std::path::PathBuf::from(format!("/tmp/ws{n}"));
    let g = Generator::new(13, n);
    if !dir.exists() {
        std::fs::create_dir_all(&dir).unwrap();
        let mut w = Workspace::create_volatile(&dir).unwrap();
        let mut batch = Vec::new();
        let t = std::time::Instant::now();
        for i in 0..n {
            batch.push(g.memory(i));
            if batch.len() == 1000 {
                w.remember(&batch).unwrap();
                batch.clear();
            }
        }
        println!("built in {:?}", t.elapsed());
        w.finish().unwrap();
        println!("finished in {:?}", t.elapsed());
    }
    let t = std::time::Instant::now();
    let w = Workspace::open(&dir).unwrap();
    println!("open {:?}", t.elapsed());
    let qs: Vec<_> = g.queries(asks).into_iter().map(|q| q.text).collect();
    let mut best = Vec::new();
    for q in &qs {
        let mut m = f64::MAX;
        for _ in 0..reps {
            let t = std::time::Instant::now();
            w.recall(q, 10).unwrap();
            m = m.min(t.elapsed().as_secs_f64() * 1e3);
        }
        best.push(m);
    }
    best.sort_by(f64::total_cmp);
    println!("median of best {:.2} ms p99 {:.2}", best[best.len() / 2], best[best.len() * 99 / 100]);
}
