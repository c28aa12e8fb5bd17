//! The language of a source file, as fenced code names it.

/// What the names of files end in, and the language; a language's own name comes first.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("asm", &["asm", "s"]),
    ("astro", &["astro"]),
    ("awk", &["awk"]),
    ("bash", &["sh", "bash", "ksh", "bats"]),
    ("batch", &["bat", "cmd"]),
    ("bibtex", &["bib"]),
    ("c", &["c", "h"]),
    ("clojure", &["clj", "cljs", "cljc", "edn"]),
    ("cmake", &["cmake"]),
    ("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ino"]),
    ("csharp", &["cs", "csx"]),
    ("css", &["css"]),
    ("cuda", &["cu", "cuh"]),
    ("d", &["d"]),
    ("dart", &["dart"]),
    ("diff", &["diff", "patch"]),
    ("dockerfile", &["dockerfile"]),
    ("elixir", &["ex", "exs", "heex"]),
    ("elm", &["elm"]),
    ("erlang", &["erl", "hrl"]),
    ("fish", &["fish"]),
    ("fortran", &["f", "f90", "f95", "f03", "for"]),
    ("fsharp", &["fs", "fsi", "fsx"]),
    ("gleam", &["gleam"]),
    ("glsl", &["glsl", "vert", "frag"]),
    ("go", &["go"]),
    ("graphql", &["graphql", "gql"]),
    ("groovy", &["groovy", "gradle"]),
    ("haskell", &["hs", "lhs"]),
    ("hcl", &["hcl", "tf", "tfvars"]),
    ("ini", &["ini", "cfg", "conf", "properties", "editorconfig"]),
    ("java", &["java"]),
    ("javascript", &["js", "mjs", "cjs"]),
    ("json", &["json5", "jsonc", "jsonl", "ndjson", "har"]),
    ("jsx", &["jsx"]),
    ("julia", &["jl"]),
    ("kotlin", &["kt", "kts"]),
    ("less", &["less"]),
    ("lisp", &["lisp", "cl", "el"]),
    ("lua", &["lua"]),
    ("make", &["make", "mk"]),
    ("matlab", &["m"]),
    ("nim", &["nim"]),
    ("nix", &["nix"]),
    ("objectivec", &["mm"]),
    ("ocaml", &["ml", "mli"]),
    ("pascal", &["pas", "pp"]),
    ("perl", &["pl", "pm"]),
    ("php", &["php"]),
    ("powershell", &["ps1", "psm1", "psd1"]),
    ("prisma", &["prisma"]),
    ("prolog", &["pro"]),
    ("protobuf", &["proto"]),
    ("python", &["py", "pyi", "pyw"]),
    ("r", &["r", "rmd"]),
    ("racket", &["rkt"]),
    ("ruby", &["rb", "rake", "gemspec"]),
    ("rust", &["rs"]),
    ("scala", &["scala", "sc", "sbt"]),
    ("scheme", &["scm", "ss"]),
    ("scss", &["scss", "sass"]),
    ("solidity", &["sol"]),
    ("sql", &["sql"]),
    ("svelte", &["svelte"]),
    ("swift", &["swift"]),
    ("tcl", &["tcl"]),
    ("tex", &["tex", "sty", "cls"]),
    ("toml", &["toml"]),
    ("tsx", &["tsx"]),
    ("typescript", &["ts", "mts", "cts"]),
    ("vb", &["vb", "vbs", "bas"]),
    ("verilog", &["v", "sv", "svh"]),
    ("vhdl", &["vhd", "vhdl"]),
    ("vim", &["vim"]),
    ("vue", &["vue"]),
    ("wgsl", &["wgsl"]),
    ("xml", &["xml", "xsd", "xsl", "xslt", "svg", "plist", "rss", "atom", "kml", "csproj"]),
    ("yaml", &["yaml", "yml"]),
    ("zig", &["zig"]),
    ("zsh", &["zsh"]),
];

/// Whole names, in lower case.
const NAMES: &[(&str, &str)] = &[
    ("build", "python"),
    ("cmakelists.txt", "cmake"),
    ("containerfile", "dockerfile"),
    ("dockerfile", "dockerfile"),
    ("gemfile", "ruby"),
    ("gnumakefile", "make"),
    ("go.mod", "go"),
    ("jenkinsfile", "groovy"),
    ("justfile", "make"),
    ("makefile", "make"),
    ("rakefile", "ruby"),
    ("vagrantfile", "ruby"),
];

/// The language of a file of this name.
pub(super) fn of(name: &str) -> Option<&'static str> {
    let (whole, extension) = (last(name).to_lowercase(), extension(name));
    let by_name = NAMES.iter().find(|(known, _)| *known == whole).map(|(_, language)| *language);
    by_name.or_else(|| {
        let row = LANGUAGES.iter().find(|(_, endings)| endings.contains(&extension.as_str()));
        row.map(|(language, _)| *language)
    })
}

/// What a name ends in after its last dot, in lower case; empty without one.
pub(super) fn extension(name: &str) -> String {
    let ending = last(name).rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.map(|(_, ending)| ending.to_lowercase()).unwrap_or_default()
}

fn last(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn languages_are_found_by_ending_and_by_name() {
        for (name, language) in [
            ("main.rs", Some("rust")),
            ("a/b/App.TSX", Some("tsx")),
            ("Dockerfile", Some("dockerfile")),
            ("deploy/Makefile", Some("make")),
            ("a\\b\\x.ps1", Some("powershell")),
            (".rs", None),
            ("notes.txt", None),
            ("rust", None),
        ] {
            assert_eq!(of(name), language, "{name}");
        }
    }

    #[test]
    fn no_ending_stands_for_two_languages() {
        let endings: Vec<_> = LANGUAGES.iter().flat_map(|(_, endings)| endings.iter()).collect();
        assert_eq!(endings.iter().collect::<BTreeSet<_>>().len(), endings.len());
    }
}
