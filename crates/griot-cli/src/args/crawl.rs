//! Arguments of `crawl`, `crawl-status` and `jobs`.

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
    /// Allow addresses of this machine and its networks
    #[arg(long)]
    pub allow_private: bool,
    /// Resume a crawl with its original options
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
    /// Show a job with its failures
    Show(OneJob),
    /// Pause a job
    Pause(OneJob),
    /// Resume a job in this process
    Resume(OneJob),
    /// Cancel a job; what it stored is kept
    Cancel(OneJob),
    /// Resume a job in this process and retry its failures
    Retry(OneJob),
}

#[derive(Args, Debug)]
pub struct OneJob {
    /// Such as `j3`
    pub job: String,
}
