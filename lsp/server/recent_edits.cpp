#include "lsp/server/recent_edits.h"

#include <algorithm>

#include "agent/suggest/changed_calls.h"
#include "agent/suggest/missing_import.h"
#include "agent/suggest/renamed_places.h"
#include "edits/place/write.h"
#include "grammars/names.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

namespace {

// Limits for the work on the main thread: some ten milliseconds, for code as people write it.
constexpr size_t kMostBytes = 64 * 1024;  // of a file
constexpr size_t kMostLines = 300;        // of a function
constexpr size_t kMostAlone = 4;          // edits of which each is parsed alone

// Whether each goes on where the one before it was, as several keys in one message do.
bool are_at_one_place(const std::vector<Replacement>& changes) {
  for (size_t i = 1; i < changes.size(); ++i) {
    const Replacement &last = changes[i - 1], &next = changes[i];
    if (next.offset > last.offset + last.text.size() || next.offset + next.length < last.offset)
      return false;
  }
  return true;
}

// A document's syntax, once it is needed: what changed since it was parsed last is parsed again.
class Parsed {
 public:
  Parsed(const Document& document, const Outlines::Outlined* last)
      : document_(document), last_(last) {}

  // Null: it has no grammar, or cannot be parsed.
  const SyntaxTree* tree() {
    if (!is_parsed_) {
      is_parsed_ = true;
      tree_ = is_last() ? last_->tree : parse(document_.text, last_ ? &last_->tree : nullptr);
    }
    return tree_ ? &*tree_ : nullptr;
  }

  const Outline& outline() {
    if (is_last()) return last_->outline;
    if (!outline_) outline_ = tree() ? bodkin::outline(*tree_) : Outline();
    return *outline_;
  }

  // Whether it is known that `after` has errors which `before` had not.
  bool breaks(const Text& before, const Text& after) {
    const auto tree_of = [&](const Text& text) {
      return text == document_.text ? tree_ : parse(text, &*tree_);
    };
    if (!tree()) return false;
    const auto was = tree_of(before), is = tree_of(after);
    return was && is && !new_errors(*was, *is).empty();
  }

 private:
  bool is_last() const { return last_ && last_->version == document_.version; }

  std::optional<SyntaxTree> parse(const Text& text, const SyntaxTree* previous) const {
    const Language* const language =
        previous ? &previous->language() : language_of(document_.path, document_.text.line(0));
    auto tree = language ? SyntaxTree::parse(*language, text, {}, previous) : no_grammar();
    return tree ? std::optional(*std::move(tree)) : std::nullopt;
  }
  static Result<SyntaxTree> no_grammar() { return fail(Error::Code::unavailable, ""); }

  const Document& document_;
  const Outlines::Outlined* const last_;
  bool is_parsed_ = false;
  std::optional<SyntaxTree> tree_;
  std::optional<Outline> outline_;
};

NextEdits next_of(Parsed& now, const Document& document, const EditedLines& edit,
                  const std::vector<EditedLines>& earlier, const ImportWorld& world) {
  bool is_long = false;  // a function is
  const auto function_at = [&](size_t line) -> std::optional<LineRange> {
    std::optional<LineRange> innermost;
    for (const Symbol& each : now.outline().symbols) {
      const size_t begin = document.text.line_of(each.name_begin);  // below its decorators
      if (is_function(each.kind) && begin <= line && line < each.lines.end)
        innermost = {begin, each.lines.end};
    }
    if (!innermost || innermost->end - innermost->begin <= kMostLines) return innermost;
    is_long = true;
    return std::nullopt;
  };
  const SyntaxTree* const tree = now.tree();
  const auto is_name_at = [&](size_t offset, size_t length) {
    return !tree || is_name(*tree, offset, length);
  };
  const auto is_bound_at = [&](size_t offset, size_t length) {
    return tree && is_bound(*tree, offset, length);
  };
  NextEdits next = next_edits(document.text, edit, earlier, {function_at, is_name_at, is_bound_at});
  if (is_long) return {};
  if (next.renaming) next = renamed_places(document.text, tree, edit, std::move(next));
  if (is_any_sure(next) || !tree) return next;
  if (NextEdits calls = changed_calls(*tree, edit, earlier); !calls.edits.empty()) return calls;
  NextEdits imports = missing_import(document.path, *tree, edit, earlier, world);
  return imports.edits.empty() ? next : imports;
}

}  // namespace

void RecentEdits::changed(const Document& document, const Text& before,
                          const std::vector<Replacement>& changes) {
  ++changes_;
  if (document.lost || !are_at_one_place(changes)) return closed(document.uri);
  Edited& edited = recent_[document.uri];
  edited.path = document.path;
  edited.when = changes_;
  Text now = before;
  for (const Replacement& change : changes) {
    Text next = now.replace(change.offset, change.length, change.text);
    // An editor that sends the whole text, as some formatters do, has changed a part of it.
    const bool is_whole = change.length > 0 && change.length == now.size();
    edited.edit.note(now, next, is_whole ? difference(now, next) : change);
    now = std::move(next);
  }
}

void RecentEdits::closed(const std::string& uri) {
  ++changes_;
  recent_.erase(uri);
}

void RecentEdits::forget() { recent_.clear(); }

ImpliedEdits RecentEdits::implied(const Document& document) const {
  const auto recent = recent_.find(document.uri);
  if (recent == recent_.end()) return {};
  auto& known = recent->second.known;
  const auto all_symbols = symbols();
  if (!known || known->when != changes_ || known->symbols.lock() != all_symbols)
    known = {changes_, all_symbols, work_out(document, recent->second, *all_symbols)};
  return known->implied;
}

ImpliedEdits RecentEdits::work_out(const Document& document, const Edited& edited,
                                   const SymbolIndex& all_symbols) const {
  ImpliedEdits out;
  const auto edit = edited.edit.last();
  if (!edit) return out;
  out.edited = {edit->first, edit->first + std::max<size_t>(edit->after.size(), 1)};
  if (document.text.size() > kMostBytes) return out;
  Parsed now(document, outlines_.last_of(document));
  out.next = next_of(now, document, *edit, edited.edit.earlier(), {all_symbols, read});
  if (out.next.edits.empty()) {
    out.next = {};
    return out;
  }
  // While the edit itself breaks something, it is not finished.
  const size_t begin = document.text.line_begin(edit->first),
               end = document.text.line_begin(edit->first + edit->after.size());
  std::string before;
  for (const std::string& line : edit->before) before += line + "\n";
  if (now.breaks(document.text.replace(begin, end - begin, before), document.text)) return {};
  const auto breaks = [&](const std::vector<Replacement>& edits) {
    return now.breaks(document.text, with_edits(document.text, edits));
  };
  std::vector<Replacement> all;
  for (const NextEdit& next : out.next.edits)
    if (next.message.empty()) all.push_back(next.change);
  if (all.empty()) return out;
  std::ranges::sort(all, {}, &Replacement::offset);
  if (breaks(all)) {  // hardly ever
    if (all.size() > kMostAlone) return {};
    std::erase_if(out.next.edits, [&](const NextEdit& next) {
      return next.message.empty() && breaks({next.change});
    });
  }
  if (out.next.edits.empty()) out.next = {};
  return out;
}

std::vector<PastEdit> RecentEdits::history(const Document& document) const {
  constexpr size_t kMostOthers = 3;
  std::vector<const Edited*> others;
  for (const auto& [uri, edited] : recent_)
    if (uri != document.uri) others.push_back(&edited);
  std::ranges::sort(others, {}, &Edited::when);
  if (others.size() > kMostOthers) others.erase(others.begin(), others.end() - kMostOthers);
  std::vector<PastEdit> past;
  for (const Edited* other : others)
    if (auto last = other->edit.last()) past.push_back({other->path, *std::move(last)});
  const auto own = recent_.find(document.uri);
  if (own == recent_.end()) return past;
  const auto& earlier = own->second.edit.earlier();
  for (auto edit = earlier.rbegin(); edit != earlier.rend(); ++edit)
    past.push_back({document.path, *edit});
  if (auto last = own->second.edit.last()) past.push_back({document.path, *std::move(last)});
  return past;
}

}  // namespace bodkin::lsp
