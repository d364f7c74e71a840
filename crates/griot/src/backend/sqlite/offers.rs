//! Reads and writes the offers of `remember`: one row each, found from both of its memories.

use std::collections::BTreeMap;

use rusqlite::Row;

use super::tables::{Tables, unreadable};
use crate::model::{Node, Offer, OfferKind, Timestamp};

const COLUMNS: &str = "number, newer, other, kind, probability, made_at, refused_at";

impl Tables {
    pub fn offer(&self, number: u32) -> rusqlite::Result<Option<Offer>> {
        self.row(&format!("SELECT {COLUMNS} FROM offer WHERE number = ?1"), [number], read_offer)
    }

    pub fn offers_after(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Offer>> {
        let sql = format!("SELECT {COLUMNS} FROM offer WHERE number > ?1 ORDER BY number LIMIT ?2");
        self.rows(&sql, (number, limit as i64), read_offer)
    }

    /// The latest below a number, or of all if it is 0.
    pub fn offers_before(&self, number: u32, limit: usize) -> rusqlite::Result<Vec<Offer>> {
        let sql = format!("SELECT {COLUMNS} FROM offer WHERE number < ?1 ORDER BY number DESC LIMIT ?2");
        let below = if number == 0 { i64::MAX } else { i64::from(number) };
        self.rows(&sql, (below, limit as i64), read_offer)
    }

    /// Offers that name one of these memories, or one with the same text and scope.
    pub fn offers_about(&self, memories: &[Node]) -> rusqlite::Result<Vec<Offer>> {
        // One index finds the live memories with a hash, another one the forgotten ones.
        const TWINS: &str = "SELECT number FROM memory WHERE deleted_at IS NULL
            AND hash = (SELECT hash FROM memory WHERE number = ?1)
            UNION ALL SELECT number FROM memory WHERE deleted_at IS NOT NULL
            AND hash = (SELECT hash FROM memory WHERE number = ?1)";
        let sql = format!(
            "SELECT {COLUMNS} FROM offer WHERE newer IN ({TWINS}) UNION
             SELECT {COLUMNS} FROM offer WHERE other IN ({TWINS})"
        );
        let mut found = BTreeMap::new();
        for memory in memories.iter().filter(|node| node.is_memory()) {
            self.each(&sql, [memory.number()], read_offer, |offer| _ = found.insert(offer.number, offer))?;
        }
        Ok(found.into_values().collect())
    }

    pub fn put_offer(&self, offer: &Offer) -> rusqlite::Result<()> {
        self.execute(
            &format!("INSERT OR REPLACE INTO offer ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
            (
                offer.number,
                offer.newer.number(),
                offer.other.number(),
                offer.kind as u8,
                offer.probability.to_bits(),
                offer.made_at.0,
                offer.refused_at.map(|at| at.0),
            ),
        )
        .map(drop)
    }
}

fn read_offer(row: &Row<'_>) -> rusqlite::Result<Offer> {
    Ok(Offer {
        number: row.get(0)?,
        newer: Node::memory(row.get(1)?),
        other: Node::memory(row.get(2)?),
        kind: OfferKind::from_number(row.get(3)?).ok_or_else(|| unreadable("the kind of an offer"))?,
        probability: f32::from_bits(row.get(4)?),
        made_at: Timestamp(row.get(5)?),
        refused_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
    })
}
