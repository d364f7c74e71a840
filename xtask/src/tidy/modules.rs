//! Dependencies between the files of a crate, import cycles, and the public names of a crate.
//!
//! A dependency points to the file that defines a name, through re-exports: a child that imports its sibling
//! through `mod.rs` depends on the sibling. Imports of tests do not count. Neither do imports by a child of
//! names that a module above it defines, because a module and its children are one unit.

use std::collections::{BTreeMap, BTreeSet};

use super::rust::{self, Token};
use super::source::File;

/// A crate as a tree of modules.
pub struct Crate<'a> {
    /// As paths name it: `griot_wire`.
    pub name: String,
    /// What its root names for everyone, without a feature. A module or a glob counts as one name.
    pub public: BTreeSet<String>,
    files: Vec<&'a File>,
    modules: Vec<Module>,
}

#[derive(Default)]
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    /// Those of `use` have a name.
    paths: Vec<rust::Path>,
}

impl Module {
    /// What `use` calls by this name.
    fn used(&self, name: &str) -> impl Iterator<Item = &[String]> {
        let paths = self.paths.iter().filter(move |path| path.name.as_deref() == Some(name));
        paths.map(|path| path.segments.as_slice())
    }
}

/// What a path resolves to.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// An item of this module.
    Item(usize),
}

impl<'a> Crate<'a> {
    /// All crates, without their tests.
    pub fn all(files: &'a [File]) -> Vec<Crate<'a>> {
        let mut folders: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
        for file in files.iter().filter(|file| !file.is_test) {
            let Some((folder, _)) = file.name.split_once("/src/") else { continue };
            folders.entry(folder).or_default().push(file);
        }
        folders.into_iter().filter_map(|(folder, files)| Crate::new(folder, files)).collect()
    }

    fn new(folder: &str, files: Vec<&'a File>) -> Option<Crate<'a>> {
        let root = ["lib", "main"]
            .iter()
            .find_map(|root| files.iter().position(|file| file.name == format!("{folder}/src/{root}.rs")))?;
        let name = folder.trim_start_matches("crates/").replace('-', "_");
        let modules = vec![Module { file: root, ..Module::default() }];
        let mut tree = Crate { name, public: BTreeSet::new(), files, modules };
        tree.read(0, &tree.files[root].product(), &format!("{folder}/src"));
        Some(tree)
    }

    /// Reads the items of a module and, through its `mod` lines, of the files below it.
    fn read(&mut self, own: usize, tokens: &[Token<'_>], folder: &str) {
        let mut at = 0;
        while at < tokens.len() {
            let end = rust::end_of_item(tokens, at).max(at + 1);
            self.item(own, &tokens[at..end.min(tokens.len())], folder);
            at = end;
        }
    }

    fn item(&mut self, own: usize, tokens: &[Token<'_>], folder: &str) {
        let mut at = 0;
        let mut is_gated = false;
        while tokens.get(at).is_some_and(|token| token.is("#")) {
            let end = rust::end_of_group(tokens, at + 1);
            is_gated |= tokens[at..end].iter().any(|token| token.is("feature"));
            at = end;
        }
        let mut is_public = false;
        if tokens.get(at).is_some_and(|token| token.is("pub")) {
            at += 1;
            if tokens.get(at).is_some_and(|token| token.is("(")) {
                at = rust::end_of_group(tokens, at);
            } else {
                is_public = own == 0;
            }
        }
        let rest = &tokens[at..];
        let Some(first) = rest.first() else { return };
        let mut names = Vec::new();
        match first.text {
            "use" => {
                let paths = rust::used(&rest[1..]);
                names.extend(paths.iter().filter_map(|path| path.name.clone()));
                self.modules[own].paths.extend(paths);
            }
            "mod" if rest.len() > 2 => {
                let name = rest[1].text.to_string();
                names.push(name.clone());
                if rest[2].is("{") {
                    let child = self.child(own, name, self.modules[own].file);
                    self.read(child, &rest[3..rest.len() - 1], folder);
                } else {
                    self.file(own, name, folder);
                }
            }
            _ => {
                names.extend(name_of(rest));
                self.modules[own].items.extend(names.iter().cloned());
                self.modules[own].paths.extend(rust::paths(rest));
            }
        }
        if is_public && !is_gated {
            self.public.extend(names);
        }
    }

    fn child(&mut self, parent: usize, name: String, file: usize) -> usize {
        let own = self.modules.len();
        self.modules.push(Module { file, parent: Some(parent), ..Module::default() });
        self.modules[parent].children.insert(name, own);
        own
    }

    fn file(&mut self, parent: usize, name: String, folder: &str) {
        let names = [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")];
        let Some(index) = self.files.iter().position(|file| names.contains(&file.name)) else { return };
        let file = self.files[index];
        let folder = format!("{folder}/{name}");
        let child = self.child(parent, name, index);
        self.read(child, &file.product(), &folder);
    }

    /// What a path means inside a module; `None` for names of other crates.
    fn resolve(&self, own: usize, path: &[String], asked: &mut BTreeSet<(usize, String)>) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(own),
            "super" => Target::Module(self.modules[own].parent?),
            name if name == self.name => Target::Module(0),
            name => self.lookup(own, name, rest.is_empty(), asked)?,
        };
        rest.iter().enumerate().try_fold(start, |target, (index, name)| match target {
            Target::Item(_) => Some(target),
            Target::Module(module) if name == "super" => self.modules[module].parent.map(Target::Module),
            Target::Module(module) => {
                let is_last = index + 1 == rest.len();
                // Names made by macros are not visible here; take them as items of the module.
                Some(self.lookup(module, name, is_last, asked).unwrap_or(Target::Item(module)))
            }
        })
    }

    fn lookup(
        &self,
        module: usize,
        name: &str,
        is_last: bool,
        asked: &mut BTreeSet<(usize, String)>,
    ) -> Option<Target> {
        if !asked.insert((module, name.to_string())) {
            return None;
        }
        let own = &self.modules[module];
        let child = own.children.get(name).map(|child| Target::Module(*child));
        let item = || own.items.contains(name).then_some(Target::Item(module));
        let named =
            |asked: &mut BTreeSet<_>| own.used(name).find_map(|path| self.resolve(module, path, asked));
        let globs = |asked: &mut BTreeSet<_>| {
            own.used("*").find_map(|path| match self.resolve(module, path, asked)? {
                Target::Module(other) => self.lookup(other, name, is_last, asked),
                Target::Item(_) => None,
            })
        };
        let found = if is_last {
            item().or_else(|| named(asked)).or(child)
        } else {
            child.or_else(|| named(asked)).or_else(item)
        };
        found.or_else(|| globs(asked))
    }

    /// Dependencies between files: who imports, and from where.
    pub fn imports(&self) -> BTreeSet<(&'a str, &'a str)> {
        let mut imports = BTreeSet::new();
        for (own, module) in self.modules.iter().enumerate() {
            for path in &module.paths {
                let target = self.resolve(own, &path.segments, &mut BTreeSet::new());
                if let Some(Target::Item(other)) = target {
                    let (from, to) = (module.file, self.modules[other].file);
                    if from != to && !self.is_below(own, other) {
                        imports.insert((self.files[from].name.as_str(), self.files[to].name.as_str()));
                    }
                }
            }
        }
        imports
    }

    fn is_below(&self, module: usize, other: usize) -> bool {
        let parent = self.modules[module].parent;
        parent.is_some_and(|parent| parent == other || self.is_below(parent, other))
    }
}

/// The name that an item defines.
fn name_of(tokens: &[Token<'_>]) -> Option<String> {
    const ITEMS: [&str; 9] = ["fn", "struct", "enum", "trait", "union", "type", "const", "static", "!"];
    let keyword = tokens.iter().position(|token| ITEMS.contains(&token.text))?;
    let is_item = tokens[..keyword].iter().all(|token| {
        matches!(token.text, "unsafe" | "async" | "const" | "extern" | "macro_rules")
            || token.text.starts_with('"')
    });
    let mut names =
        tokens[keyword + 1..].iter().filter(|token| !matches!(token.text, "mut" | "fn" | "unsafe"));
    names.next().filter(|token| is_item && token.is_name()).map(|token| token.text.to_string())
}

/// Groups of names that import each other, sorted.
pub fn cycles<'a>(imports: &BTreeSet<(&'a str, &'a str)>) -> Vec<Vec<&'a str>> {
    let mut next: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for (from, to) in imports {
        next.entry(*from).or_default().push(*to);
    }
    let reach = |start: &'a str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            open.extend(next.get(from).into_iter().flatten().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let reached: BTreeMap<&'a str, BTreeSet<&'a str>> =
        imports.iter().map(|(from, _)| (*from, reach(from))).collect();
    let mut cycles: BTreeSet<Vec<&'a str>> = BTreeSet::new();
    for (from, to) in &reached {
        let back = |other: &&&'a str| reached.get(**other).is_some_and(|there| there.contains(from));
        let cycle: Vec<&'a str> = to.iter().filter(back).copied().collect();
        if cycle.len() > 1 {
            cycles.insert(cycle);
        }
    }
    cycles.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: format!("crates/a/src/{name}.rs"), text: text.into(), is_test: false }
    }

    fn drawn(files: &[File]) -> Vec<String> {
        let short = |name: &str| name.trim_start_matches("crates/a/src/").trim_end_matches(".rs").to_string();
        let crates = Crate::all(files);
        let imports = crates[0].imports();
        imports.iter().map(|(from, to)| format!("{} -> {}", short(from), short(to))).collect()
    }

    #[test]
    fn a_dependency_points_to_the_defining_file() {
        let files = [
            file("lib", "mod b; mod e; pub use b::C;"),
            file("b/mod", "mod c; mod d; pub use c::C; fn own() {}"),
            file("b/c", "pub struct C;\n#[cfg(test)]\nmod tests { use super::super::d::D; }"),
            file("b/d", "use super::C; pub struct D(C);"),
            file("e", "use crate::b; fn f() { b::own(); crate::b::d::D; let C = crate::C; }"),
        ];
        assert_eq!(
            drawn(&files),
            ["b/d -> b/c", "b/mod -> b/c", "e -> b/c", "e -> b/d", "e -> b/mod", "lib -> b/c"]
        );
        assert_eq!(cycles(&Crate::all(&files)[0].imports()), Vec::<Vec<&str>>::new());
    }

    #[test]
    fn a_cycle_is_found_with_all_of_its_files() {
        let files = [
            file("lib", "mod b; mod c; mod d; mod e;"),
            file("b", "use crate::c::f;"),
            file("c", "pub fn f() { super::d::g() }"),
            file("d", "pub fn g() { crate::b::h() }"),
            file("e", "use crate::{b::x, c as y};"),
        ];
        let names = ["crates/a/src/b.rs", "crates/a/src/c.rs", "crates/a/src/d.rs"];
        assert_eq!(cycles(&Crate::all(&files)[0].imports()), [names]);
    }

    #[test]
    fn public_is_what_the_root_names() {
        let root = "pub mod b; mod c; pub use c::{D, E as F}; pub(crate) use c::H; \
                    pub fn one() {} fn two() {} \
                    #[cfg(feature = \"x\")] pub mod g; #[cfg(feature = \"x\")] pub fn three() {}";
        let child = "pub struct D; pub enum E {} impl X { pub fn m() {} }";
        let files = [file("lib", root), file("c", child)];
        let names: Vec<String> = Crate::all(&files).remove(0).public.into_iter().collect();
        assert_eq!(names, ["D", "F", "b", "one"]);
    }
}
