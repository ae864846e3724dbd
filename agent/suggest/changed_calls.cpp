#include "agent/suggest/changed_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agent/support/shown_text.h"
#include "edits/text/line_keys.h"
#include "grammars/calls.h"
#include "grammars/names.h"

namespace bodkin {

namespace {

using Parameters = std::vector<Parameter>;

constexpr size_t kLongestList = 40;  // lines of a list of parameters
constexpr long kMostCalls = 100;     // of one function

// The indices of `ours` missing in `theirs`, which has the others in the same order, and no more.
// Nullopt if that is not so.
std::optional<std::vector<size_t>> missing_in(const Parameters& theirs, const Parameters& ours) {
  std::vector<size_t> missing;
  size_t at = 0;
  for (size_t i = 0; i < ours.size(); ++i)
    if (at < theirs.size() && theirs[at].name == ours[i].name)
      ++at;
    else
      missing.push_back(i);
  if (at < theirs.size() || missing.empty()) return std::nullopt;
  return missing;
}

size_t count_needed(const Parameters& all) {
  return static_cast<size_t>(
      std::ranges::count_if(all, [](const Parameter& one) { return !one.is_optional; }));
}

const Signature* only(const std::vector<Signature>& all, std::string_view name) {
  const Signature* found = nullptr;
  for (const Signature& each : all) {
    if (each.name != name) continue;
    if (found) return nullptr;
    found = &each;
  }
  return found;
}

// The call's argument for each parameter; none for one that it leaves out. Nullopt: unknown.
std::optional<std::vector<size_t>> arguments_by_parameter(const Call& call,
                                                          const Parameters& parameters) {
  constexpr size_t kLeftOut = std::string::npos;
  std::vector<size_t> out(parameters.size(), kLeftOut);
  bool is_named = false;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& keyword = call.arguments[i].keyword;
    const auto named = std::ranges::find(parameters, keyword, &Parameter::name);
    const size_t at = keyword.empty() ? i : static_cast<size_t>(named - parameters.begin());
    if (at >= out.size() || out[at] != kLeftOut || (is_named && keyword.empty()))
      return std::nullopt;
    out[at] = i;
    is_named |= !keyword.empty();
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] == kLeftOut && !parameters[i].is_optional) return std::nullopt;
  return out;
}

// The call without its arguments of these parameters. Empty: it has none, or it cannot be told.
std::vector<Replacement> without(const Call& call, const Parameters& old,
                                 const std::vector<size_t>& gone) {
  const std::vector<Argument>& all = call.arguments;
  const auto by_parameter = arguments_by_parameter(call, old);
  if (!by_parameter) return {};
  std::vector<bool> goes(all.size());
  for (const size_t parameter : gone) {
    const size_t at = (*by_parameter)[parameter];
    if (at >= all.size()) continue;  // left out
    if (all[at].may_act) return {};
    goes[at] = true;
  }
  std::vector<Replacement> edits;
  size_t kept = all.size();  // how many before the last run of those that go
  while (kept > 0 && goes[kept - 1]) --kept;
  // Includes a comma after the last.
  if (kept == 0 && !all.empty())
    return {{call.list_begin + 1, call.list_end - call.list_begin - 2, ""}};
  for (size_t i = 0; i < kept; ++i)
    if (goes[i]) edits.push_back({all[i].begin, all[i + 1].begin - all[i].begin, ""});
  if (kept < all.size()) {
    const size_t begin = all[kept - 1].end;
    edits.push_back({begin, all.back().end - begin, ""});
  }
  return edits;
}

// Whole lines, as all next edits are: of several calls in the same lines, one.
std::vector<NextEdit> by_lines(const Text& file, const std::vector<Replacement>& edits) {
  std::vector<NextEdit> out;
  for (size_t i = 0; i < edits.size();) {
    std::vector<Replacement> own;
    for (size_t last = 0;
         i < edits.size() && (own.empty() || file.line_of(edits[i].offset) <= last); ++i) {
      last = file.line_of(edits[i].offset + edits[i].length);
      own.push_back(edits[i]);
    }
    out.push_back(in_whole_lines(file, own));
  }
  return out;
}

// Whether the edit may be in a list of parameters: most are not, and need no parse.
bool may_be_in_list(const Text& file, const EditedLines& edit) {
  const size_t first = edit.first - std::min(edit.first, kLongestList),
               end = file.line_begin(edit.first + std::max<size_t>(edit.after.size(), 1)),
               begin = file.line_begin(first), edited = file.line_begin(edit.first) - begin;
  const std::string text = file.substr(begin, end - begin + kLongestList * 100);
  for (size_t open = text.find('('); open < end - begin; open = text.find('(', open + 1)) {
    size_t name = open;
    while (name > 0 && is_word_char(text[name - 1])) --name;
    // `def name(`, `int *name(`, `name<T>(`, `name = (`
    size_t before = name;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    if (before == 0 || (!is_word_char(text[before - 1]) && !is_among(text[before - 1], "*&>=")))
      continue;
    size_t depth = 0, close = open;
    for (; close < text.size(); ++close) {
      depth += text[close] == '(';
      if (text[close] == ')' && --depth == 0) break;
    }
    if (close >= edited) return true;
  }
  return false;
}

// The function in whose list of parameters the edit is.
const Signature* edited_signature(const SignaturesAndCalls& now, const Text& file,
                                  const EditedLines& edit) {
  const size_t begin = file.line_begin(edit.first),
               end = std::max(file.line_begin(edit.first + edit.after.size()), begin + 1);
  for (const Signature& each : now.signatures)
    if (each.begin < end && begin < each.end)
      return each.is_plain ? only(now.signatures, each.name) : nullptr;
  return nullptr;
}

bool mentions(const EditedLines& edit, const std::string& call) {
  return std::ranges::any_of(edit.after, [&](const auto& line) { return line.contains(call); });
}

// Whether the call is in a line that an edit made: it may be of the signature as it is to be.
bool was_edited(const Call& call, const Text& file, const std::vector<EditedLines>& earlier) {
  for (size_t line = file.line_of(call.begin); line <= file.line_of(call.end); ++line)
    for (const EditedLines& each : earlier)
      if (std::ranges::find(each.after, file.line(line)) != each.after.end()) return true;
  return false;
}

NextEdits calls_of(const SyntaxTree& now, const std::vector<Call>& calls, const Signature& changed,
                   const EditedLines& edit, const std::vector<EditedLines>& edits_of_file) {
  const Text& file = now.text();
  if (std::ranges::count(calls, changed.name, &Call::name) > kMostCalls ||
      !is_bound_once(now, changed.name, changed.name_begin))
    return {};
  const size_t begin = file.line_begin(edit.first),
               end = file.line_begin(edit.first + edit.after.size());
  std::string was;
  for (const std::string& line : edit.before) was += line + "\n";
  const auto before =
      SyntaxTree::parse(now.language(), file.replace(begin, end - begin, was), {}, &now);
  if (!before) return {};
  const std::vector<Signature> signatures = signatures_and_calls(*before).signatures;
  const Signature* const old = only(signatures, changed.name);
  if (!old || !old->is_plain) return {};
  const Parameters &had = old->parameters, &has = changed.parameters;
  const auto is_meant = [&](const Call& call) {
    return call.name == changed.name && call.is_plain && (call.end <= begin || call.begin >= end);
  };
  NextEdits out;
  if (const auto gone = missing_in(has, had)) {
    std::vector<Replacement> edits;
    for (const Call& call : calls)
      if (is_meant(call) &&
          (call.arguments.size() == had.size() || !was_edited(call, file, edits_of_file)))
        std::ranges::move(without(call, had, *gone), std::back_inserter(edits));
    std::ranges::sort(edits, {}, &Replacement::offset);
    out.edits = by_lines(file, edits);
    out.what = changed.name + "() takes fewer arguments";
  } else if (missing_in(had, has) && now.language().id != "lua") {  // which leaves them out
    const size_t needed = count_needed(has);
    out.what = fmt::format("{}() takes {}{} now", changed.name,
                           needed < has.size() ? "at least " : "", counted(needed, "argument"));
    for (const Call& call : calls)
      if (is_meant(call) && call.arguments.size() < needed &&
          call.arguments.size() >= count_needed(had))
        out.edits.push_back({{file.line_of(call.begin), file.line_of(call.end) + 1},
                             {call.begin, 0, ""},
                             out.what});
  }
  // In JavaScript a missing argument, or one too many, is not an error.
  if (now.language().id == "javascript")
    for (NextEdit& each : out.edits) each.is_sure = false;
  put_below_first(out, edit.first);
  return out;
}

}  // namespace

NextEdits changed_calls(const SyntaxTree& tree, const EditedLines& edit,
                        const std::vector<EditedLines>& earlier) {
  const Text& file = tree.text();
  std::optional<SignaturesAndCalls> now;  // once they are needed
  std::vector<const EditedLines*> since;
  for (std::optional<EditedLines> its = edit; since.size() <= earlier.size();) {
    if (its && may_be_in_list(file, *its)) {
      if (!now) now = signatures_and_calls(tree);
      if (const Signature* const changed = edited_signature(*now, file, *its)) {
        const std::string call = changed->name + "(";
        if (!std::ranges::all_of(since, [&](const auto* one) { return mentions(*one, call); }))
          return {};
        std::vector<EditedLines> others = earlier;
        if (!since.empty()) {  // the last one is of a call, and this one is that of the signature
          others[since.size() - 1] = edit;
        }
        NextEdits out = calls_of(tree, now->calls, *changed, *its, others);
        // A call that need not say it any more is often another one, too.
        for (NextEdit& each : out.edits) each.is_sure &= !each.message.empty() || !since.empty();
        return out;
      }
    }
    const EditedLines& own = since.empty() ? edit : earlier[since.size() - 1];
    if (!mentions(own, "(") || since.size() == earlier.size()) return {};
    its = as_now(file, earlier[since.size()]);
    since.push_back(&own);
  }
  return {};
}

}  // namespace bodkin
