//! Charts of office documents as a table: a row for each category, a column for each series.
//!
//! The values are those that the program stored with the chart when it drew it last; the workbook behind the
//! chart is not read.

use std::collections::HashMap;

use griot::model::Timestamp;

use crate::readers::element::Element;
use crate::readers::markup::{one_line, table};

/// Most series and rows of a chart; the table has as many cells as both together.
const SERIES: usize = 200;
const ROWS: usize = 2_000;

/// Writes the chart in a chart part; false if it has more than is written.
pub(crate) fn write(chart: &Element, out: &mut String) -> bool {
    let Some(plot) = chart.find("plotArea") else { return true };
    let title = |element: Option<&Element>| {
        let words = element.and_then(|element| element.child("title")).map(words).unwrap_or_default();
        Some(words).filter(|words| !words.is_empty())
    };
    let name = title(chart.child("chart")).map(|name| format!(": {name}")).unwrap_or_default();
    let unit = title(plot.child("valAx")).map(|unit| format!(" ({unit})")).unwrap_or_default();
    out.extend(["Chart", &name, &unit, "\n\n"]);

    let axis = ["catAx", "dateAx"].iter().find_map(|axis| title(plot.child(axis)));
    let all = plot.all("ser");
    let mut rows = vec![vec![axis.unwrap_or_default()]];
    // A series of points has categories of its own.
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    let mut is_whole = all.len() <= SERIES;
    for (column, series) in (1..).zip(all.iter().take(SERIES)) {
        let name = series.child("tx").map(words).filter(|name| !name.is_empty());
        rows[0].push(name.unwrap_or_else(|| format!("Series {column}")));
        let points = |names: [&str; 2]| names.iter().find_map(|name| series.child(name)).map(points);
        let categories: HashMap<usize, String> =
            points(["cat", "xVal"]).unwrap_or_default().into_iter().collect();
        for (index, value) in points(["val", "yVal"]).unwrap_or_default() {
            let category = categories.get(&index).cloned().unwrap_or_else(|| (index + 1).to_string());
            let row = *known.entry((index, category)).or_insert_with_key(|(_, category)| {
                rows.push(vec![category.clone()]);
                rows.len() - 1
            });
            if row > ROWS {
                rows.truncate(ROWS + 1);
                known.retain(|_, row| *row <= ROWS);
                is_whole = false;
                break;
            }
            rows[row].resize(column, String::new());
            rows[row].push(value);
        }
    }
    table(&rows, out);
    is_whole
}

/// The points of a series by their index. Categories of several levels are joined, the widest first.
fn points(of: &Element) -> Vec<(usize, String)> {
    let levels = of.all("lvl");
    let caches = if levels.is_empty() { vec![of] } else { levels };
    let code = of.find("formatCode").map(Element::text).unwrap_or_default();
    let mut found: Vec<(usize, String)> = Vec::new();
    for (level, cache) in caches.into_iter().enumerate() {
        let of_level = cache.all("pt").into_iter().take(ROWS + 1).filter_map(|point| {
            let value = one_line(&point.child("v")?.text());
            Some((point.attribute("idx")?.parse::<usize>().ok()?, shown(&value, &code)))
        });
        if level == 0 {
            found = of_level.collect();
            continue;
        }
        // A wider level names only the first of the points that it holds.
        let wider: Vec<(usize, String)> = of_level.collect();
        for (index, name) in &mut found {
            if let Some((_, above)) = wider.iter().rev().find(|(first, _)| first <= index) {
                *name = format!("{above} {name}");
            }
        }
    }
    found
}

/// A number as it is read: `4.3` for `4.2999999999999998`, a day, or a share in percent.
fn shown(value: &str, code: &str) -> String {
    let Ok(number) = value.parse::<f64>() else { return value.to_string() };
    let code = code.to_lowercase();
    if code.contains('%') {
        return format!("{}%", rounded(number * 100.0));
    }
    if code.contains("yy") || (code.contains('d') && code.contains('m')) {
        /// 1 January 1970 as a day of Excel.
        const EPOCH: f64 = 25_569.0;
        let at = Timestamp(((number - EPOCH) * Timestamp::DAY as f64) as i64);
        if (Timestamp::EARLIEST..=Timestamp::LATEST).contains(&at) {
            return at.to_string().split('T').next().unwrap_or_default().to_string();
        }
    }
    rounded(number).to_string()
}

/// Without the noise of binary fractions: 12 significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// The words of a title or a name: written in it, or stored with the cell to which it refers.
fn words(of: &Element) -> String {
    let runs = of.all("t");
    let runs = if runs.is_empty() { of.all("v") } else { runs };
    one_line(&runs.into_iter().map(Element::text).collect::<Vec<_>>().join(" "))
}
