//! What comes from the web, and the jobs that bring it: `crawl`, `crawl-status`, `jobs`.

use clap::{Args, Subcommand};
use griot_wire::verbs;

use super::Owned;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot crawl https://example.org/docs/ --tag docs
  griot crawl https://example.org --mode sitemap --allow '/blog/**' --max-pages 500
  griot crawl --resume j3

robots.txt is kept to, and a host is asked twice a second. Pages that did not change are not read again. Ctrl-C pauses; what
was fetched by then stays, and --resume goes on without asking for it again.")]
pub struct CrawlArgs {
    /// The page to start from
    #[arg(value_name = "URL", required_unless_present = "resume", conflicts_with = "resume")]
    pub url: Option<String>,
    #[command(flatten)]
    pub owned: Owned<verbs::job::Crawl>,
    /// Requests a second and host; 0 is as many as it answers [default: crawl.requests_per_second, which is
    /// 2]
    #[arg(long, value_name = "COUNT")]
    pub rate: Option<f64>,
    /// Also addresses of this machine and its networks
    #[arg(long)]
    pub allow_private: bool,
    /// Go on with a crawl, as it was asked for
    #[arg(long, value_name = "JOB")]
    pub resume: Option<String>,
}

#[derive(Args, Debug)]
pub struct CrawlStatus {
    /// Such as `j3` [default: the latest crawl]
    #[arg(value_name = "JOB")]
    pub job: Option<String>,
}

#[derive(Args, Debug)]
pub struct JobsArgs {
    #[command(subcommand)]
    pub action: Option<JobsAction>,
}

#[derive(Subcommand, Debug)]
pub enum JobsAction {
    /// List jobs (what `griot jobs` does)
    List,
    /// One job with what went wrong
    Show {
        /// Such as `j3`
        job: String,
    },
    /// Pause a job
    Pause {
        /// Such as `j3`
        job: String,
    },
    /// Go on with a job here
    Resume {
        /// Such as `j3`
        job: String,
    },
    /// Stop a job for good; what it stored stays
    Cancel {
        /// Such as `j3`
        job: String,
    },
    /// Go on with a job here, and try again what failed
    Retry {
        /// Such as `j3`
        job: String,
    },
}
