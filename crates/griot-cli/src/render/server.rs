//! The server's keys as a table.

use griot_server::access::KeyRecord;

use super::Page;
use super::table::table;

pub fn keys(page: Page, keys: &[KeyRecord]) -> String {
    if keys.is_empty() {
        return "No keys. Create one with griot key create.".to_string();
    }
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_string());
    let row = |key: &KeyRecord| {
        let rate = key.rate.map_or_else(|| "-".to_string(), |rate| rate.to_string());
        let state = key.revoked_at.as_ref().map_or_else(|| "live".to_string(), |at| format!("revoked {at}"));
        let (user, name) = (or_dash(&key.user), or_dash(&key.name));
        vec![key.id.clone(), key.workspace.clone(), key.role.name().to_string(), user, name, rate, state]
    };
    let header = ["id", "workspace", "role", "user", "name", "per minute", "state"];
    table(page, &header, &keys.iter().map(row).collect::<Vec<_>>(), &[5])
}
