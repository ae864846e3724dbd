//! functions < PATHS | compare.py PROGRAM: every function of Rust files, by the crate `syn`. To build it, a Cargo.toml with
//! syn = { version = "1", features = ["full", "visit"] } and proc-macro2 = { version = "1", features = ["span-locations"] }.
use std::io::BufRead;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
struct V<'a> {
    out: Vec<(usize, usize, bool)>,
    lines: Vec<&'a str>,
}
impl<'a> V<'a> {
    fn put(&mut self, attrs: &[syn::Attribute], first: proc_macro2::Span, end: proc_macro2::Span, f: bool) {
        let mut start = first.start().line;
        for a in attrs {
            if let syn::AttrStyle::Inner(_) = a.style {
                continue;
            }
            let s = a.pound_token.spans[0].start();
            let l: String = self.lines[s.line - 1].chars().skip(s.column).take(1).collect();
            if l == "#" {
                start = start.min(s.line);
            }
        }
        self.out.push((start, end.end().line, f));
    }
}
fn first(vis: &syn::Visibility, rest: proc_macro2::Span) -> proc_macro2::Span {
    if let syn::Visibility::Inherited = vis {
        rest
    } else {
        vis.span()
    }
}
impl<'ast, 'a> Visit<'ast> for V<'a> {
    fn visit_item_fn(&mut self, i: &'ast syn::ItemFn) {
        self.put(
            &i.attrs,
            first(&i.vis, i.sig.span()),
            i.block.brace_token.span,
            true,
        );
        visit::visit_item_fn(self, i);
    }
    fn visit_impl_item_method(&mut self, i: &'ast syn::ImplItemMethod) {
        let f = if let Some(d) = &i.defaultness {
            d.span()
        } else {
            i.sig.span()
        };
        self.put(&i.attrs, first(&i.vis, f), i.block.brace_token.span, true);
        visit::visit_impl_item_method(self, i);
    }
    fn visit_trait_item_method(&mut self, i: &'ast syn::TraitItemMethod) {
        let end = match (&i.default, &i.semi_token) {
            (Some(b), _) => b.brace_token.span,
            (_, Some(s)) => s.span(),
            _ => i.sig.span(),
        };
        self.put(&i.attrs, i.sig.span(), end, true);
        visit::visit_trait_item_method(self, i);
    }
    fn visit_foreign_item_fn(&mut self, i: &'ast syn::ForeignItemFn) {
        self.put(&i.attrs, first(&i.vis, i.sig.span()), i.semi_token.span(), true);
    }
    fn visit_item_struct(&mut self, i: &'ast syn::ItemStruct) {
        self.put(&i.attrs, first(&i.vis, i.struct_token.span()), i.span(), false);
        visit::visit_item_struct(self, i);
    }
    fn visit_item_enum(&mut self, i: &'ast syn::ItemEnum) {
        self.put(
            &i.attrs,
            first(&i.vis, i.enum_token.span()),
            i.brace_token.span,
            false,
        );
        visit::visit_item_enum(self, i);
    }
    fn visit_item_union(&mut self, i: &'ast syn::ItemUnion) {
        self.put(&i.attrs, first(&i.vis, i.union_token.span()), i.span(), false);
        visit::visit_item_union(self, i);
    }
    fn visit_item_trait(&mut self, i: &'ast syn::ItemTrait) {
        self.put(
            &i.attrs,
            first(&i.vis, i.trait_token.span()),
            i.brace_token.span,
            false,
        );
        visit::visit_item_trait(self, i);
    }
    fn visit_item_impl(&mut self, i: &'ast syn::ItemImpl) {
        self.put(&i.attrs, i.impl_token.span(), i.brace_token.span, false);
        visit::visit_item_impl(self, i);
    }
    fn visit_item_macro(&mut self, i: &'ast syn::ItemMacro) {
        if i.ident.is_some() {
            self.put(&i.attrs, i.mac.path.span(), i.span(), false);
        }
    }
}
fn quoted(s: &str) -> String {
    format!("{:?}", s)
}
fn main() {
    println!("{{");
    let mut sep = "";
    for path in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        if text.replace("\r\n", "").contains('\r') || text.starts_with('\u{feff}') {
            continue;
        }
        let Ok(file) = syn::parse_file(&text) else {
            continue;
        };
        let mut v = V {
            out: vec![],
            lines: text.lines().collect(),
        };
        v.visit_file(&file);
        let all: Vec<String> = v
            .out
            .iter()
            .map(|(a, b, f)| format!("[{},{},{}]", a, b, f))
            .collect();
        println!("{}{}: [{}]", sep, quoted(&path), all.join(","));
        sep = ",";
    }
    println!("}}");
}
