//! Arguments of `crawl`, `crawl-status` and `jobs`.

use clap::{Args, Subcommand};
use griot_wire::verbs::{self, job::OneJob};

use super::{Limit, Noted, Owned};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  griot crawl https://example.org/docs/ --tag docs
  griot crawl https://example.org --mode sitemap --allow '/blog/**' --max-pages 500
  griot crawl --resume j3

A crawl obeys robots.txt and sends two requests a second to a host. Unchanged pages are not read
again. Ctrl-C pauses it; --resume continues without fetching a page twice.")]
pub struct CrawlArgs {
    /// The page to start from
    #[arg(value_name = "URL", required_unless_present = "resume", conflicts_with = "resume")]
    pub url: Option<String>,
    #[command(flatten)]
    pub owned: Owned<verbs::job::Crawl>,
    /// Requests a second to each host; 0 is no limit [default: crawl.requests_per_second, which is 2]
    #[arg(long, value_name = "COUNT")]
    pub rate: Option<f64>,
    #[command(flatten)]
    pub noted: Noted,
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
#[command(args_conflicts_with_subcommands = true)]
pub struct JobsArgs {
    #[command(subcommand)]
    pub action: Option<JobsAction>,
    #[command(flatten)]
    pub limit: Limit,
}

#[derive(Subcommand, Debug)]
pub enum JobsAction {
    /// List jobs (what `griot jobs` does)
    List(Limit),
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
