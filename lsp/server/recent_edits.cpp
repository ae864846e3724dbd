#include "lsp/server/recent_edits.h"

#include <algorithm>

#include "agent/suggest/changed_calls.h"
#include "agent/suggest/missing_import.h"
#include "edits/place/write.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin::lsp {

namespace {

// What is told on the main thread within some ten milliseconds, of code as people write it.
constexpr size_t kMostBytes = 64 * 1024;  // of a file, which is parsed a few times
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

}  // namespace

void RecentEdits::changed(const Document& document, const Text& before,
                          const std::vector<Replacement>& changes) {
  if (document.lost || !are_at_one_place(changes)) return closed(document.uri);
  Edited& edited = recent_[document.uri];
  edited.path = document.path;
  edited.when = ++changes_;
  Text now = before;
  for (const Replacement& change : changes) {
    Text next = now.replace(change.offset, change.length, change.text);
    edited.edit.note(now, next, change);
    now = std::move(next);
  }
}

void RecentEdits::closed(const std::string& uri) { recent_.erase(uri); }
void RecentEdits::forget() { recent_.clear(); }

NextEdits RecentEdits::next_of(const Document& document, const EditedLines& edit,
                               const RecentEdit& all) const {
  std::optional<Outline> outlined;  // once it is needed
  bool is_long = false;             // a function is
  const FunctionAt function_at = [&](size_t line) -> std::optional<LineRange> {
    if (!outlined) {
      const Language* const language = language_of(document.path, document.text.line(0));
      outlined.emplace();
      if (language)
        if (const auto tree = SyntaxTree::parse(*language, document.text))
          outlined = outline(*tree);
    }
    std::optional<LineRange> innermost;
    for (const Symbol& each : outlined->symbols)
      if (is_function(each.kind) && each.lines.begin <= line && line < each.lines.end)
        innermost = each.lines;
    if (!innermost || innermost->end - innermost->begin <= kMostLines) return innermost;
    is_long = true;
    return std::nullopt;
  };
  NextEdits next = next_edits(document.text, edit, all.earlier(), function_at);
  if (is_long) return {};
  if (!next.edits.empty()) return next;
  next = changed_calls(document.path, document.text, edit, all.earlier());
  if (!next.edits.empty()) return next;
  return missing_import(document.path, document.text, edit, {*symbols(), read});
}

ImpliedEdits RecentEdits::implied(const Document& document) const {
  ImpliedEdits out;
  const auto recent = recent_.find(document.uri);
  const auto edit = recent == recent_.end() ? std::nullopt : recent->second.edit.last();
  if (!edit) return out;
  out.edited = {edit->first, edit->first + std::max<size_t>(edit->after.size(), 1)};
  if (document.text.size() > kMostBytes) return out;
  out.next = next_of(document, *edit, recent->second.edit);
  if (out.next.edits.empty()) {
    out.next = {};
    return out;
  }
  const auto syntax = make_syntax();
  const auto breaks = [&](const std::vector<Replacement>& edits) {
    const auto errors =
        syntax->new_errors(document.path, document.text, with_edits(document.text, edits));
    return errors && !errors->empty();
  };
  // As long as the edit itself breaks something, it is not finished.
  const size_t begin = document.text.line_begin(edit->first),
               end = document.text.line_begin(edit->first + edit->after.size());
  std::string before;
  for (const std::string& line : edit->before) before += line + "\n";
  const auto own = syntax->new_errors(
      document.path, document.text.replace(begin, end - begin, before), document.text);
  if (own && !own->empty()) return {};
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
