//! How a file looks: it says why it exists, and nothing in it is too long.

use super::sources::{Source, Violation, violation};
use syn::spanned::Spanned as _;
use syn::visit::Visit;

/// Lines of a file, tests stripped.
const FILE_LIMIT: usize = 400;
/// Lines of a function, without blank ones and comments.
const FUNCTION_LIMIT: usize = 60;

pub(super) fn head(source: &Source) -> Vec<Violation> {
    let opens_well = source.text.starts_with("//! ");
    if opens_well { Vec::new() } else { vec![violation(1, "does not open with `//!`")] }
}

pub(super) fn file_size(source: &Source) -> Vec<Violation> {
    let total = source.text.lines().count();
    let lines = (1..=total).filter(|line| !source.is_test_line(*line)).count();
    let what = || violation(1, format!("{lines} lines, {FILE_LIMIT} are allowed"));
    if lines > FILE_LIMIT { vec![what()] } else { Vec::new() }
}

pub(super) fn function_sizes(source: &Source) -> Vec<Violation> {
    let mut functions = Functions { source, found: Vec::new() };
    functions.visit_file(&source.syntax);
    functions.found
}

struct Functions<'a> {
    source: &'a Source,
    found: Vec<Violation>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (start, end) = (signature.span().start().line, block.span().end().line);
        let code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        let body = self.source.text.lines().skip(start - 1).take(end + 1 - start);
        let lines = body.filter(code).count();
        if lines > FUNCTION_LIMIT && !self.source.is_test_line(start) {
            let what =
                format!("`{}` has {lines} lines, {FUNCTION_LIMIT} are allowed", signature.ident);
            self.found.push(violation(start, what));
        }
    }
}

impl Visit<'_> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &syn::ItemFn) {
        self.measure(&function.sig, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        self.measure(&function.sig, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.measure(&function.sig, block);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Source {
        Source::new("core/src/sample.rs", text)
    }

    #[test]
    fn a_file_without_a_head_is_found() {
        assert_eq!(head(&sample("use a::b;\n")).len(), 1);
        assert_eq!(head(&sample("// Not a head.\n")).len(), 1);
        assert_eq!(head(&sample("//! Why.\n")), []);
    }

    #[test]
    fn a_long_file_is_found_and_tests_do_not_count() {
        let line = "const A: u8 = 1;\n";
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", line.repeat(FILE_LIMIT));
        assert_eq!(file_size(&sample(&line.repeat(FILE_LIMIT + 1))).len(), 1);
        assert_eq!(file_size(&sample(&(line.repeat(FILE_LIMIT) + &tests))), []);
    }

    #[test]
    fn a_long_function_is_found_wherever_it_is() {
        let body = "    call();\n".repeat(FUNCTION_LIMIT);
        let long = format!("fn long() {{\n{body}}}\n");
        for text in [
            long.clone(),
            format!("impl A {{\n{long}}}\n"),
            format!("trait A {{\n{long}}}\n"),
            format!("fn outer() {{\n    {long}}}\n"),
        ] {
            assert!(!function_sizes(&sample(&text)).is_empty(), "{text}");
        }
        assert_eq!(function_sizes(&sample(&format!("#[cfg(test)]\n{long}"))), []);
    }

    #[test]
    fn blank_lines_and_comments_of_a_function_are_free() {
        let body = "    // Why.\n\n    call();\n".repeat(FUNCTION_LIMIT - 2);
        assert_eq!(function_sizes(&sample(&format!("fn long() {{\n{body}}}\n"))), []);
    }
}
