//! A temporary workspace with its jobs, in which files are read and sites are crawled.

use std::ops::Deref;
use std::sync::atomic::AtomicBool;

use griot::engine::{Engine, Settings};
use griot::model::Result;
use griot_ingest::{
    CrawlEvent, CrawlOptions, FileEvent, FileOptions, Job, JobId, Jobs, WorkedBy, run_crawl, run_ingest,
    start_crawl, start_ingest,
};

use crate::Folder;
use crate::site::Site;

pub struct Workspace {
    folder: Folder,
    pub engine: Engine,
    pub jobs: Jobs,
}

impl Deref for Workspace {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

impl Workspace {
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Self {
        Self::open(Folder::empty(), settings)
    }

    /// As another process sees it.
    pub fn reopened(self) -> Self {
        let Self { folder, engine, jobs } = self;
        drop((engine, jobs));
        Self::open(folder, Settings::default())
    }

    fn open(folder: Folder, settings: Settings) -> Self {
        let engine = folder.engine(settings);
        let jobs = Jobs::for_database(&folder.path().join("griot.db")).unwrap();
        Self { folder, engine, jobs }
    }

    /// Starts a job that reads files.
    pub fn start_files(&self, options: &FileOptions) -> JobId {
        start_ingest(&self.jobs, options, WorkedBy::Creator, 0).unwrap()
    }

    pub fn read_files(&self, id: JobId) -> Job {
        self.read_files_until(id, &AtomicBool::new(false), &mut |_| Ok(())).unwrap()
    }

    pub fn read_files_until(
        &self,
        id: JobId,
        stop: &AtomicBool,
        report: &mut dyn FnMut(FileEvent<'_>) -> Result<()>,
    ) -> Result<Job> {
        run_ingest(&self.jobs, id, &self.engine, stop, report)
    }

    pub fn ingest(&self, options: &FileOptions) -> Job {
        self.read_files(self.start_files(options))
    }

    pub fn start_crawl(&self, url: &str, options: &CrawlOptions) -> JobId {
        start_crawl(&self.jobs, url, options, WorkedBy::Creator, self.engine.now().0).unwrap()
    }

    pub fn run_crawl(&self, id: JobId) -> Job {
        self.run_crawl_until(id, &AtomicBool::new(false), &mut |_| {}).unwrap()
    }

    pub fn run_crawl_until(
        &self,
        id: JobId,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&CrawlEvent),
    ) -> Result<Job> {
        run_crawl(&self.jobs, id, &self.engine, stop, report)
    }

    pub fn crawl(&self, url: &str, options: &CrawlOptions) -> Job {
        self.run_crawl(self.start_crawl(url, options))
    }

    /// Origins of live sources, with the number of their memories.
    pub fn sources(&self, site: &Site) -> Vec<String> {
        let sources = self.engine.sources().unwrap();
        let live = sources.iter().filter(|view| view.source.deleted_at.is_none());
        let mut all: Vec<String> = live
            .map(|view| format!("{} {}", view.source.origin.replace(&site.url, ""), view.memories))
            .collect();
        all.sort();
        all
    }
}
