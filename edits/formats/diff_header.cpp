#include "edits/formats/diff_header.h"

#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

// Which file the two names mean, if that is beyond doubt.
std::optional<std::string> one_path(const DiffNames& names) {
  const std::string &a = names.before, &b = names.after;
  if (a == b || a.empty()) return b;
  if (b.empty()) return a;
  if (a.ends_with(".orig") || a.ends_with(".old")) return b;
  if (b.ends_with("/" + a)) return b;
  if (a.ends_with("/" + b)) return a;
  return std::nullopt;
}

std::unexpected<Failure> malformed(size_t line, std::string_view what, std::string advice = {}) {
  return failure(
      FailureKind::malformed,
      "the diff at line " + std::to_string(line + 1) + " of the edit " + std::string(what),
      std::move(advice));
}

}  // namespace

std::string path_in_header(std::string_view s) {
  if (const size_t tab = s.find('\t'); tab != s.npos) {
    // `diff -N` gives a file that does not exist the beginning of all time.
    const std::string_view time = trimmed(s.substr(tab));
    if (time.starts_with("1970-01-01 00:00:00")) return "";
    s = s.substr(0, tab);
  }
  s = trimmed(s);
  if (s == "/dev/null" || s == "`/dev/null`") return "";
  if (s.size() < 2 || s.front() != '"' || s.back() != '"') return cleaned_path(s);
  std::string path;  // git quotes like C
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    if (s[i] != '\\' || i + 2 >= s.size()) {
      path += s[i];
    } else if (s[i + 1] >= '0' && s[i + 1] <= '7') {
      unsigned value = 0;
      size_t digits = 0;
      while (digits < 3 && s[i + 1 + digits] >= '0' && s[i + 1 + digits] <= '7') {
        value = value * 8 + static_cast<unsigned>(s[i + 1 + digits++] - '0');
      }
      path += static_cast<char>(value);
      i += digits;
    } else {
      const char c = s[++i];
      path += c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
  }
  return path;
}

void strip_sides(DiffNames& names) {
  // Of git's diff.mnemonicPrefix: commit, index, work tree, object.
  const auto has_side = [](std::string_view name) {
    return name.size() > 2 && name[1] == '/' &&
           std::string_view("ciow").find(name[0]) != std::string_view::npos;
  };
  const std::string &a = names.before, &b = names.after;
  if (has_side(a) && has_side(b) && a[0] != b[0] && a.substr(2) == b.substr(2)) {
    names.before.erase(0, 2);
    names.after.erase(0, 2);
    return;
  }
  const bool old_side = names.before.empty() || names.before.starts_with("a/");
  const bool new_side = names.after.empty() || names.after.starts_with("b/");
  if (!old_side || !new_side || names.renamed) return;
  if (!names.before.empty()) names.before.erase(0, 2);
  if (!names.after.empty()) names.after.erase(0, 2);
}

FailureOr<void> add_diff(EditPlan& plan, const DiffNames& written, std::vector<Hunk> hunks,
                         const std::string& default_path, size_t header) {
  DiffNames names = written;
  for (Hunk& hunk : hunks) hunk.literal = hunk.shares_context = true;
  if (names.binary) return malformed(header, "is for a binary file, which cannot be edited");
  if (names.new_mode.starts_with("12"))
    return malformed(header, "makes a symbolic link, and only files are edited");
  if (names.new_mode.starts_with("16"))
    return malformed(header, "makes a submodule, and only files are edited");
  strip_sides(names);
  if (!names.named) names.before = names.after = default_path;
  FileChange change;
  change.source_line = header + 1;
  const bool created = names.created || (names.before.empty() && !names.after.empty());
  const bool removed = names.removed || (names.after.empty() && !names.before.empty());
  if (names.renamed) {
    change.path = names.before;
    change.rename_to = names.after;
  } else if (auto path = one_path(names)) {
    change.path = *std::move(path);
  } else {
    return malformed(header, "names two different files in its header lines");
  }
  if (change.path.empty()) {
    return malformed(header, "names no file", "begin with --- and +++ lines");
  }
  if (removed) {
    change.kind = FileChange::Kind::remove;
    change.is_quoted = true;
    change.hunks = std::move(hunks);
  } else if (created) {
    if (hunks.empty() && !names.created) return malformed(header, "has no @@ line above its lines");
    change.kind = FileChange::Kind::create;
    for (const Hunk& hunk : hunks) {
      for (const HunkLine& line : hunk.lines) {
        if (line.kind == HunkLine::Kind::removed) {
          return malformed(header, "creates a file but removes lines from it");
        }
        change.contents.append(line.text).push_back('\n');
      }
      if (hunk.final_newline == false && !change.contents.empty()) change.contents.pop_back();
    }
  } else if (hunks.empty() && !names.renamed) {
    if (names.mode) return {};
    return malformed(header, "has no lines to change, or no @@ line above them");
  } else if (!names.renamed) {
    FileChange& update = update_of(plan, change.path, change.source_line);
    for (Hunk& hunk : hunks) update.hunks.push_back(std::move(hunk));
    return {};
  } else {
    change.hunks = std::move(hunks);
  }
  plan.changes.push_back(std::move(change));
  return {};
}

}  // namespace bodkin
