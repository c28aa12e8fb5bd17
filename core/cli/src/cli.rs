//! What every command has at hand: the home, the server, the screen.

use coffer_api::handoff::ScopeOut;
use coffer_api::routes;
use coffer_client::{Client, Starter, Versions, find, find_or_start, with_query};
use coffer_env::Home;

use crate::failure::Failure;
use crate::here;
use crate::render::Screen;

/// The state of one run.
pub(crate) struct Cli {
    pub(crate) home: Home,
    pub(crate) screen: Screen,
}

impl Cli {
    pub(crate) fn new(screen: Screen) -> Result<Self, Failure> {
        Ok(Self { home: Home::discover()?, screen })
    }

    /// The server; the headless one is started when none runs.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        Ok(find_or_start(&self.home, &Starter::sibling()?, Versions::Same)?)
    }

    /// The server, whatever its version, only if it runs already.
    pub(crate) fn running(&self) -> Result<Client, Failure> {
        Ok(find(&self.home, Versions::Any)?)
    }

    /// The store that was named, else the one of the working directory.
    pub(crate) fn store(&self, client: &Client, named: Option<String>) -> Result<String, Failure> {
        match named {
            Some(name) => Ok(name),
            None => Ok(self.scope(client)?.store_name),
        }
    }

    /// What the working directory belongs to.
    pub(crate) fn scope(&self, client: &Client) -> Result<ScopeOut, Failure> {
        Ok(client.get(&with_query(routes::SCOPE, &[("cwd", Some(here::directory()?))]))?)
    }
}
