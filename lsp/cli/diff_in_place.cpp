#include "lsp/cli/diff_in_place.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "edits/plan/diff.h"
#include "edits/text/pieces.h"
#include "lsp/apply/apply_reply.h"

namespace bodkin {

namespace {

using ChangeKind = FileChange::Kind;
using LineKind = HunkLine::Kind;

// `moved`: how many lines the hunks above add to the file, which the new line number counts.
void reverse(Hunk& hunk, long& moved) {
  if (auto& line = hunk.evidence.line) line = static_cast<size_t>(static_cast<long>(*line) + moved);
  for (HunkLine& line : hunk.lines) {
    if (line.kind == LineKind::context) continue;
    moved += line.kind == LineKind::added ? 1 : -1;
    line.kind = line.kind == LineKind::added ? LineKind::removed : LineKind::added;
  }
  // It says which side ends without a line end, unless both do.
  auto* const diff = std::get_if<DiffHunk>(&hunk.format);
  if (diff && diff->final_newline && !hunk.lines.empty() &&
      hunk.lines.back().kind != LineKind::context)
    diff->final_newline = !*diff->final_newline;
}

Hunk removal_of(std::string_view contents) {
  Hunk hunk;
  for (const std::string_view line : split_lines(contents))
    hunk.lines.push_back({LineKind::removed, std::string(line)});
  return hunk;
}

// The plan that takes it back. False: what it does cannot be.
bool reverse(FileChange& change) {
  if (change.kind == ChangeKind::create) {
    change.kind = ChangeKind::remove;
    change.hunks = {removal_of(change.contents)};
  } else if (change.kind == ChangeKind::remove && !change.hunks.empty()) {
    change.kind = ChangeKind::create;
    for (const Hunk& hunk : change.hunks)
      for (const HunkLine& line : hunk.lines) change.contents += line.text + "\n";
    change.hunks.clear();
  } else if (change.kind == ChangeKind::update) {
    if (change.rename_to) std::swap(change.path, *change.rename_to);
    long moved = 0;
    for (Hunk& hunk : change.hunks) reverse(hunk, moved);
  } else {
    return false;
  }
  return true;
}

// Without the parts of binary files, links and submodules, whose names are added to `passed_over`.
std::string without_binary(std::string_view diff, std::vector<std::string>& passed_over) {
  constexpr std::string_view kBegin = "diff --git ";
  const auto says = [](std::string_view part, std::string_view line) {
    const size_t hunks = part.find("\n@@ ");
    const size_t found = part.find(line);
    return found != part.npos && found < hunks;
  };
  std::string text;
  for (size_t at = 0; at < diff.size();) {
    size_t next = diff.find("\n" + std::string(kBegin), at);
    next = next == diff.npos ? diff.size() : next + 1;
    const std::string_view part = diff.substr(at, next - at);
    at = next;
    const bool is_no_text = says(part, "\nBinary files ") || says(part, "\nGIT binary patch") ||
                            says(part, " mode 120000\n") || says(part, " mode 160000\n") ||
                            says(part, " 120000\n") || says(part, " 160000\n");
    if (!part.starts_with(kBegin) || !is_no_text) {
      text += part;
      continue;
    }
    const std::string_view names = part.substr(kBegin.size(), part.find('\n') - kBegin.size());
    const size_t last = names.rfind(" b/");
    passed_over.emplace_back(last == names.npos ? names : names.substr(last + 3));
  }
  return text;
}

}  // namespace

std::optional<ApplyReport> diff_in_place(std::string_view diff, const Files& files,
                                         std::vector<std::string>& passed_over) {
  const std::string text = without_binary(diff, passed_over);
  if (text.empty() && !passed_over.empty()) return ApplyReport{.ok = true};
  auto plan = plan_of_reply(text, {.format = Format::unified}, files);
  if (!plan) return std::nullopt;
  std::map<std::string, std::string> made;  // the contents of files that the diff creates
  for (FileChange& change : plan->changes) {
    if (change.kind == ChangeKind::create) made[change.path] = change.contents;
    if (!reverse(change)) return std::nullopt;
  }
  ApplyReport report = apply(*plan, files, nullptr, {});
  const bool is_exact = std::ranges::all_of(report.hunks, [](const HunkReport& hunk) {
    return hunk.state == HunkReport::State::applied &&
           (!hunk.match || hunk.match->quality == MatchQuality::exact);
  });
  if (!report.ok || report.files.empty() || !is_exact) return std::nullopt;
  for (ChangedFile& file : report.files) {
    if (const auto own = made.find(file.path);
        own != made.end() && (!file.before || file.before->str() != own->second))
      return std::nullopt;
    if (file.rename_to) std::swap(file.path, *file.rename_to);
    ChangedFile back = change_between(file.path, file.after, file.before);
    back.rename_to = file.rename_to;
    file = std::move(back);
  }
  return report;
}

}  // namespace bodkin
