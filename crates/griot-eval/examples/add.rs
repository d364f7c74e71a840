//! throwaway
#![allow(clippy::unwrap_used)]
use griot_eval::{generator::Generator, workspace::Workspace};
fn main() {
    let n = 100000;
    let g = Generator::new(13, n + 20000);
    let dir = std::path::PathBuf::from("/tmp/wsadd");
    let mut w = Workspace::open(&dir).unwrap();
    for b in 0..10 {
        let batch: Vec<_> = (0..1000).map(|i| g.memory(n + b * 1000 + i)).collect();
        let t = std::time::Instant::now();
        w.remember(&batch).unwrap();
        println!("{:?}", t.elapsed());
    }
}
