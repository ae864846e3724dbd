#include "agent/context/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxLines = 40;  // of problems in one message to the model

// The place in the new text of a byte of the old one: one place, or a replaced part.
struct Place {
  size_t begin = 0, end = 0;  // equal: exactly there
};

Place moved(size_t offset, std::span<const Replacement> edits) {
  ptrdiff_t shift = 0;
  for (const Replacement& edit : edits) {
    const size_t new_begin = edit.offset + shift;
    if (offset < edit.offset) break;
    // The byte after a replaced part is not in it; a pure insertion contains no old byte.
    if (offset < edit.offset + edit.length) return {new_begin, new_begin + edit.text.size()};
    shift += static_cast<ptrdiff_t>(edit.text.size()) - static_cast<ptrdiff_t>(edit.length);
  }
  return {offset + shift, offset + shift};
}

// Numbers in a message may be of lines, which an edit moves, or of how many there are.
std::string without_numbers(std::string_view message) {
  std::string result;
  for (const char c : message) {
    if (!is_digit(c)) result += c;
    if (is_digit(c) && (result.empty() || result.back() != '0')) result += '0';
  }
  return result;
}

enum class Alike { exactly, but_for_numbers, in_kind };

bool are_alike(const Diagnostic& a, const Diagnostic& b, Alike how) {
  if (a.code != b.code || a.source != b.source) return false;
  if (how == Alike::exactly) return a.message == b.message;
  if (how == Alike::but_for_numbers)
    return without_numbers(a.message) == without_numbers(b.message);
  // The same code for the same text: the message names a type that the edit has changed elsewhere.
  // A problem shown at an #include belongs to another place.
  return !a.code.empty() && a.severity == b.severity && !a.message.starts_with("In included file");
}

bool is_own(const Diagnostic& diagnostic) { return diagnostic.source == "bodkin"; }

bool is_worth_repairing(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::error || diagnostic.severity == Severity::warning;
}

std::string_view name_of(Severity severity) {
  constexpr std::string_view kNames[] = {"error", "warning", "information", "hint"};
  return kNames[std::clamp(static_cast<int>(severity), 1, 4) - 1];
}

}  // namespace

std::string_view name_of(Freshness freshness) {
  constexpr std::string_view kNames[] = {"fresh", "unchanged", "unknown"};
  return kNames[static_cast<size_t>(freshness)];
}

// Decides: which of the editor's or a server's problems are new.
DiagnosticsChange compare(std::span<const Diagnostic> before, std::span<const Diagnostic> after,
                          std::span<const Replacement> edits) {
  DiagnosticsChange change;
  std::vector<bool> taken(after.size(), false);
  std::vector<bool> found(before.size(), false);
  // Exact places first, so that a vague one does not claim its neighbour's place.
  struct Pass {
    bool exact;
    Alike alike;
  };
  for (const Pass pass : {Pass{true, Alike::exactly}, Pass{true, Alike::but_for_numbers},
                          Pass{true, Alike::in_kind}, Pass{false, Alike::exactly}}) {
    for (size_t b = 0; b < before.size(); ++b) {
      if (found[b] || is_own(before[b])) continue;
      const Place place = moved(before[b].begin_byte, edits);
      if ((place.begin == place.end) != pass.exact) continue;
      for (size_t a = 0; a < after.size() && !found[b]; ++a) {
        const size_t at = after[a].begin_byte;
        if (taken[a] || !are_alike(before[b], after[a], pass.alike)) continue;
        if (at < place.begin || at > place.end) continue;
        taken[a] = found[b] = true;
      }
    }
  }
  for (size_t b = 0; b < before.size(); ++b) {
    if (!found[b] && !is_own(before[b])) change.fixed.push_back(before[b]);
  }
  for (size_t a = 0; a < after.size(); ++a) {
    if (!is_own(after[a])) (taken[a] ? change.remaining : change.added).push_back(after[a]);
  }
  return change;
}

std::string describe(const Diagnostic& diagnostic) {
  std::string by = diagnostic.source;
  if (!diagnostic.code.empty()) by += (by.empty() ? "" : " ") + diagnostic.code;
  return fmt::format("line {}: {}: {}{}", diagnostic.lines.begin + 1, name_of(diagnostic.severity),
                     diagnostic.message, by.empty() ? "" : " [" + by + "]");
}

std::string without_foreign_words(const std::string& message, std::string_view text) {
  std::string kept;
  for (size_t i = 0; i < message.size(); ++i) {
    kept += message[i];
    const bool begins = (message[i] == '\'' || message[i] == '"' || message[i] == '`') &&
                        (i == 0 || !is_word_char(message[i - 1]));
    if (!begins) continue;
    // Ends at the last such quote: the words may have quotes themselves.
    size_t end = message.find(message[i], i + 1);
    while (end != std::string::npos &&
           !text.contains(std::string_view(message).substr(i + 1, end - i - 1)) &&
           message.find(message[i], end + 1) != std::string::npos)
      end = message.find(message[i], end + 1);
    if (end == std::string::npos) return kept + "…";
    const auto words = std::string_view(message).substr(i + 1, end - i - 1);
    kept += text.contains(words) ? std::string(words) : "…";
    kept += message[end];
    i = end;
  }
  return kept;
}

size_t count_to_repair(std::span<const FileDiagnostics> files) {
  size_t count = 0;
  for (const FileDiagnostics& file : files) {
    count += std::ranges::count_if(file.change.added, is_worth_repairing);
  }
  return count;
}

std::string repair_prompt(std::span<const FileDiagnostics> files) {
  const size_t count = count_to_repair(files);
  if (count == 0) return "";
  std::string text = fmt::format(
      "Your edit was applied. The editor now reports {} that {} not there before:\n",
      count == 1 ? "a problem" : fmt::format("{} problems", count), count == 1 ? "was" : "were");
  size_t lines = 0, remaining = 0, fixed = 0;
  for (const FileDiagnostics& file : files) {
    remaining += file.change.remaining.size();
    fixed += file.change.fixed.size();
    for (const Diagnostic& diagnostic : file.change.added) {
      if (!is_worth_repairing(diagnostic)) continue;
      if (++lines <= kMaxLines) text += file.path + ", " + describe(diagnostic) + "\n";
    }
  }
  if (lines > kMaxLines) text += fmt::format("… and {} more.\n", lines - kMaxLines);
  if (fixed) text += fmt::format("{} earlier problem(s) are gone.\n", fixed);
  if (remaining) {
    text += fmt::format("{} problem(s) already existed; ignore them.\n", remaining);
  }
  text += "Fix what your edit broke by editing the files as they are now. Change nothing else.";
  return text;
}

}  // namespace bodkin
