#include "edits/formats/diff_header.h"

#include <algorithm>

#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

// The file that the two names mean, if that is certain.
std::optional<std::string> one_path(const DiffNames& names) {
  const std::string &a = names.before, &b = names.after;
  if (a == b || a.empty() || a.ends_with(".orig") || a.ends_with(".old")) return b;
  if (b.empty() || a.ends_with("/" + b)) return a;
  if (b.ends_with("/" + a)) return b;
  return std::nullopt;
}

// Git quotes like C: "a/b\303\274.c".
std::string unquoted(std::string_view s) {
  std::string path;
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    if (s[i] != '\\' || i + 2 >= s.size()) {
      path += s[i];
      continue;
    }
    const char c = s[++i];
    unsigned value = 0;
    size_t digits = 0;
    for (; digits < 3 && s[i + digits] >= '0' && s[i + digits] <= '7'; ++digits)
      value = value * 8 + static_cast<unsigned>(s[i + digits] - '0');
    if (digits > 0) i += digits - 1;
    path += digits > 0 ? static_cast<char>(value) : c == 't' ? '\t' : c == 'n' ? '\n' : c;
  }
  return path;
}

// Removes what git writes before the names: "a/" and "b/", or, as the user may have set it, two
// other letters of the commit, the index, the work tree or an object.
void strip_sides(DiffNames& names) {
  std::string &a = names.before, &b = names.after;
  const bool are_sides = (a.empty() || a.starts_with("a/")) && (b.empty() || b.starts_with("b/"));
  const bool are_others = a.size() > 2 && b.size() > 2 && a[0] != b[0] && a[1] == '/' &&
                          std::string_view(a).substr(1) == std::string_view(b).substr(1);
  if (names.renamed || (!are_sides && !are_others)) return;
  a.erase(0, 2);
  b.erase(0, 2);
}

}  // namespace

std::string path_in_header(std::string_view s) {
  const size_t tab = std::min(s.find('\t'), s.size());
  // `diff -N` gives a file that does not exist the beginning of all time.
  if (trimmed(s.substr(tab)).starts_with("1970-01-01 00:00:00")) return "";
  s = trimmed(s.substr(0, tab));
  if (s == "/dev/null" || s == "`/dev/null`") return "";
  return s.size() > 1 && s.front() == '"' && s.back() == '"' ? unquoted(s) : cleaned_path(s);
}

FailureOr<void> add_diff(EditPlan& plan, DiffNames names, std::vector<Hunk> hunks,
                         const std::string& default_path, size_t header) {
  if (names.is_no_text)
    return failure_at(
        "the diff", header,
        "is for a binary file, a symbolic link or a submodule, and only text is edited");
  strip_sides(names);
  if (!names.named) names.before = names.after = default_path;
  const auto path = names.renamed ? names.before : one_path(names);
  if (!path) return failure_at("the diff", header, "names two different files in its header lines");
  if (path->empty())
    return failure_at("the diff", header, "names no file", "begin with --- and +++ lines");
  const bool creates = names.created || names.before.empty();
  FileChange change;
  change.source_line = header + 1;
  change.path = *path;
  if (names.renamed) {
    change.rename_to = names.after;
    change.hunks = std::move(hunks);
  } else if (names.removed || names.after.empty()) {
    change.kind = FileChange::Kind::remove;
    change.hunks = std::move(hunks);
    if (change.hunks.empty()) change.hunks.emplace_back();  // of an empty file
  } else if (hunks.empty() && !names.created) {
    if (names.mode) return {};
    return failure_at("the diff", header, "has no lines to change, or no @@ line above them");
  } else if (creates) {
    change.kind = FileChange::Kind::create;
    for (const Hunk& hunk : hunks) {
      for (const HunkLine& line : hunk.lines) {
        if (line.kind == HunkLine::Kind::removed)
          return failure_at("the diff", header, "creates a file but removes lines from it");
        change.contents.append(line.text).push_back('\n');
      }
      if (std::get<DiffHunk>(hunk.format).final_newline == false && !change.contents.empty())
        change.contents.pop_back();
    }
  } else {
    std::ranges::move(hunks, std::back_inserter(update_of(plan, *path, header + 1).hunks));
    return {};
  }
  plan.changes.push_back(std::move(change));
  return {};
}

}  // namespace bodkin
