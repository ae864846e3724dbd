#include "edits/apply/whole_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "edits/lazy/lazy.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/checks.h"
#include "edits/place/leaves_out.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"

namespace bodkin {

// A text that becomes all of a file can lose anything that it does not repeat, and no quote says
// where it belongs. So each way in has its own question, and all of them have to be answered:
//
//   a new file       is there one of that name, or of that text, already?
//   an empty SEARCH  is it the file, changed, or lines for its end?
//   a fence          is it all of the file, or a part, whose rest stays (`merged_part`)?
//   all of them      does it stop or begin in the file's middle, elide lines, or wear the columns
//                    of a diff? (`why_not_all_of`)
namespace {

using State = HunkReport::State;

bool is_blank_text(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

// A whole text that says "rest unchanged" is not whole.
std::optional<Failure> elision_in(const WholeFile& it) {
  Hunk hunk;
  std::optional<MappedText> file;
  if (it.target.text) file.emplace(*it.target.text);
  hunk.lines =
      line_diff(it.target.text ? lines_of(it.target.text->str()) : std::vector<std::string>(),
                lines_of(it.contents));
  if (!leaves_out(hunk, "", kind_of(it.target.path), file ? &*file : nullptr) &&
      !(file && remark_replaces_edge(hunk.lines)))
    return std::nullopt;
  return Failure{
      FailureKind::malformed,
      fmt::format("the new text of {} omits lines (\"... existing code ...\" or similar)",
                  it.target.path),
      "write all of it, or send what changes as SEARCH/REPLACE blocks"};
}

bool has_elision(const std::string& contents) {
  const std::vector<std::string> lines = lines_of(contents);
  return std::ranges::count(elisions_of({lines.begin(), lines.end()}), 1) > 0;
}

// A text or a sketch in the columns of a diff is not the file's.
std::optional<Failure> dress_of(const WholeFile& it, bool is_whole) {
  if (!it.target.text) return std::nullopt;
  const PlaceDoubt doubt =
      doubt_of_dress(MappedText(*it.target.text), kind_of(it.target.path), it.contents, is_whole);
  if (doubt.empty()) return std::nullopt;
  return Failure{FailureKind::malformed,
                 fmt::format("{} cannot be written as sent: {}", it.target.path, doubt.message),
                 std::string(doubt.advice)};
}

// A part of the file, shown without elisions at its ends, as chats do: the rest stays, if that
// are so many lines. Nothing if it may be meant otherwise, or breaks the syntax.
std::optional<NewText> merged_part(const WholeFile& it, size_t least_beyond) {
  const Text& text = *it.target.text;
  const auto part = as_part(it.contents, text, least_beyond, it.target.path, it.syntax);
  if (!part) return std::nullopt;
  auto merged = merge_lazy(*part, text, it.target.path);
  if (!merged) return std::nullopt;
  // Who only leaves lines out of what is shown rather quotes than removes; who leaves out many
  // has forgotten an elision.
  constexpr long kFew = 2;
  bool adds = false;
  long gone = 0;  // with nothing in their place, or most for which fewer come
  for (const Replacement& edit : *merged) {
    const std::string removed = text.substr(edit.offset, edit.length);
    const long lost = std::ranges::count_if(lines_of(removed), has_word) -
                      std::ranges::count_if(lines_of(edit.text), has_word);
    const bool brings = !is_blank_text(edit.text);
    adds |= brings;
    gone = brings ? std::max(gone, lost) : gone + lost;
  }
  if (!adds || gone > kFew) return std::nullopt;
  const auto broken = it.syntax
                          ? it.syntax->new_errors(it.target.path, text, with_edits(text, *merged))
                          : std::nullopt;
  if (broken && !broken->empty()) return std::nullopt;
  return NewText{State::applied, *std::move(merged),
                 fmt::format("shows only a part of {}; the rest stays as it is", it.target.path),
                 true};
}

FailureOr<NewText> created(const WholeFile& it) {
  if (it.target.text && lines_of(it.target.text->str()) == lines_of(it.contents))
    return NewText{.state = State::already_applied};
  if (it.target.text)
    return failure(FailureKind::exists, fmt::format("{} already exists", it.target.path),
                   "edit what is there");
  if (auto elides = elision_in(it)) return std::unexpected(*std::move(elides));
  return NewText{};
}

// An empty SEARCH half of a file that exists, whose new text is not that file.
FailureOr<NewText> added_at_end(const WholeFile& it) {
  const std::string& path = it.target.path;
  std::string before = it.target.text->str();
  if (it.contents.empty() || shares_outer_line(*it.target.text, it.contents))
    return failure(FailureKind::exists,
                   fmt::format("{} already exists, and the block quotes none of its lines", path),
                   "quote the lines that it replaces, or one to add lines to");
  const MappedText file(*it.target.text);
  Hunk hunk;
  hunk.lines = line_diff(std::vector<std::string>(), lines_of(it.contents));
  if (leaves_out(hunk, "", kind_of(path), &file))
    return failure(FailureKind::malformed,
                   fmt::format("the new text of {} omits lines (\"...\")", path), "write them");
  if (before.ends_with(it.contents)) return NewText{.state = State::already_applied};
  if (!before.ends_with('\n')) before += '\n';
  return NewText{State::applied, overwrite_edits(*it.target.text, before + it.contents),
                 fmt::format("its empty SEARCH half adds its lines at the end of {}", path)};
}

// Why a text that takes the place of a file, or makes a new one, may not be all of it.
std::optional<Failure> why_not_all_of(const WholeFile& it, bool is_shown) {
  const FileChange& change = it.change;
  const std::string& path = it.target.path;
  if (it.target.text && !is_shown && !change.as<Readded>() &&
      is_partial_quote(it.contents, *it.target.text))
    return Failure{FailureKind::malformed,
                   fmt::format("the text for {} at line {} of the edit only quotes lines of it, "
                               "and all other lines would be lost",
                               path, change.source_line),
                   "send the whole file, or SEARCH/REPLACE blocks"};
  if (auto elides = elision_in(it)) return elides;
  if (auto dressed = dress_of(it, true)) return dressed;
  if (!it.target.text) return std::nullopt;
  if (const auto stop = where_it_stops(path, *it.target.text, it.contents, it.syntax))
    return Failure{
        FailureKind::truncated,
        fmt::format("the new text of {} stops at line {} of it, and the rest would be lost", path,
                    *stop + 1),
        "send the file to its end; to remove its end, send a SEARCH/REPLACE block or a diff"};
  if (const auto start = where_it_stops(path, *it.target.text, it.contents, it.syntax, false))
    return Failure{
        FailureKind::malformed,
        fmt::format("the new text of {} begins at line {} of it, and what is above would be lost",
                    path, *start + 1),
        "send the file from its beginning; to remove that, send a SEARCH/REPLACE block or a diff"};
  return std::nullopt;
}

FailureOr<NewText> merged_sketch(const WholeFile& it) {
  if (!it.target.text)
    return failure(FailureKind::stale_path,
                   fmt::format("there is no file {}, so there is nothing that the sketch "
                               "leaves out",
                               it.target.path));
  if (auto dressed = dress_of(it, false)) return std::unexpected(*std::move(dressed));
  // One without an elision is the whole file, unless it stops where the file goes on.
  if (!has_elision(it.contents))
    if (auto why = why_not_all_of(it, true)) {
      if (auto part = merged_part(it, 1)) return *std::move(part);
      return std::unexpected(*std::move(why));
    }
  FailureOr<std::vector<Replacement>> merged =
      merge_lazy(it.contents, *it.target.text, it.target.path);
  if (merged && it.syntax && it.target.path.ends_with(".json")) {
    const auto errors = it.syntax->new_errors(it.target.path, *it.target.text,
                                              with_edits(*it.target.text, *merged));
    if (errors && !errors->empty())
      return failure(FailureKind::ambiguous,
                     fmt::format("with the sketch {} would not be valid JSON at line {}",
                                 it.target.path, errors->front() + 1),
                     "show the lines above and below what changes, with their commas");
  }
  if (merged) return NewText{State::applied, *std::move(merged), "", true};
  constexpr size_t kMany = 10;  // few may be meant to go
  if (auto part = merged_part(it, kMany)) return *std::move(part);
  return std::unexpected(merged.error());
}

FailureOr<NewText> overwritten(const WholeFile& it) {
  const FileChange& change = it.change;
  const std::string& path = it.target.path;
  const std::optional<Text>& text = it.target.text;
  const bool is_shown = change.is_shown();
  const EmptySearch* const empty = change.as<EmptySearch>();
  if (change.as<Readded>() && !text)
    return failure(FailureKind::stale_path, fmt::format("there is no file {}", path));
  if (!text)
    for (const std::string& other : similar_paths(it.files, path))
      if (const auto there = it.files.read(other);
          there && (change.as<EmptySearch>() ? is_new_text_of(change, other, *there)
                                             : resembles(*there, change.contents)))
        return failure(FailureKind::stale_path,
                       fmt::format("there is no file {}, but {} is similar", path, other),
                       "give the full path");
  if (is_shown && !text && !names_file(path))
    return failure(FailureKind::malformed,
                   fmt::format("the fence at line {} of the edit is below \"{}\", which may not "
                               "be a file",
                               change.source_line, path),
                   "if it is a new one, send it as a SEARCH/REPLACE block with an empty SEARCH");
  if (empty && empty->text_decides && text && !is_blank_text(text->str()) &&
      !has_most_of(Text(it.contents), text->str()))
    return added_at_end(it);
  const auto part =
      is_shown && text ? why_not_whole(change, path, *text, it.contents, it.syntax) : std::nullopt;
  if (part && it.takes_parts)
    if (auto merged = merged_part(it, 1)) return *std::move(merged);
  if (part)
    return failure(
        FailureKind::malformed,
        fmt::format("{} exists, and the fence at line {} of the edit {}", path, change.source_line,
                    *part),
        "send what changes as a SEARCH/REPLACE block, or the whole file in the format \"whole\"");
  if (auto why = why_not_all_of(it, is_shown)) return std::unexpected(*std::move(why));
  NewText out;
  if (!text) return out;
  out.edits = overwrite_edits(*text, it.contents);
  if (empty && !out.edits.empty())
    out.note = fmt::format("its empty SEARCH half replaces all {} lines of {}",
                           MappedText(*text).line_count(), path);
  return out;
}

}  // namespace

bool is_new_text_of(const FileChange& change, std::string_view other, const Text& text) {
  const std::string written = plain_path(change.path);
  const bool is_side = written.starts_with("a/") || written.starts_with("b/");  // of a diff
  if (other.size() + (is_side ? 2 : 0) < written.size()) return false;
  return change.as<EmptySearch>() ? has_most_of(Text(change.contents), text.str())
                                  : resembles(text, change.contents);
}

FailureOr<NewText> new_text_of(const WholeFile& shown) {
  switch (shown.change.kind) {
    case FileChange::Kind::create:
      return created(shown);
    case FileChange::Kind::lazy:
      return merged_sketch(shown);
    default:
      return overwritten(shown);
  }
}

}  // namespace bodkin
