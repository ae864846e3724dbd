#include "edits/apply/whole_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "edits/apply/check_result.h"
#include "edits/formats/path_in_words.h"
#include "edits/lazy/lazy.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/line_keys.h"

namespace bodkin {

// A text that becomes all of a file can lose anything that it does not repeat, and no quote says
// where it belongs. So each way in has its own question, and all of them have to be answered:
//
//   a new file       is there one of that name, or of that text, already?
//   an empty SEARCH  is it the file, changed, or lines for its end?
//   a fence          is it all of the file, or a part, whose rest stays (`merged_part`)?
//   a whole text     does it only quote the file, or stop or begin in its middle?
//
// What the file becomes passes the checks of all results (check_result.h).
namespace {

using State = HunkReport::State;

bool is_json(const WholeFile& it) { return it.target.path.ends_with(".json"); }

bool has_elision(const std::string& contents) {
  const std::vector<std::string> lines = lines_of(contents);
  return std::ranges::count(elisions_of({lines.begin(), lines.end()}), 1) > 0;
}

// The file with this text, if no check speaks against that.
FailureOr<NewText> rewritten(const WholeFile& it, std::string_view text, EditResult::Shows shows,
                             std::string note = {}) {
  const MappedText file(it.target.text.value_or(Text()));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> old;
  for (size_t i = 0; i < file.line_count(); ++i) old.emplace_back(file.line(i));
  Place place;
  place.last = old.size();
  Hunk hunk;
  hunk.lines = line_diff(std::move(old), lines_of(text));
  if (auto why = check_result({it.target.path, kind_of(it.target.path), file, hunk, place, shows}))
    return std::unexpected(*std::move(why));
  if (!it.target.text) return NewText{.note = std::move(note)};
  return NewText{State::applied, edits_at(file, hunk, place), std::move(note)};
}

// A file that a sketch changes so.
FailureOr<NewText> sketched(const WholeFile& it, std::vector<Replacement> edits, bool must_parse,
                            std::string note = {}) {
  const Text after = with_edits(*it.target.text, edits);
  const auto checked = rewritten(it, after.str(), EditResult::Shows::sketch);
  if (!checked) return checked;
  const auto errors = must_parse && it.syntax
                          ? it.syntax->new_errors(it.target.path, *it.target.text, after)
                          : std::nullopt;
  if (errors && !errors->empty())
    return failure(FailureKind::ambiguous,
                   fmt::format("with the new code {} would not be valid {} at line {}",
                               it.target.path, is_json(it) ? "JSON" : "code", errors->front() + 1),
                   "show the lines above and below what changes");
  return NewText{State::applied, std::move(edits), std::move(note), true};
}

// True if the text lacks so few lines that it may be all of the file, without those removed.
bool has_nearly_all(const WholeFile& it) {
  constexpr long kFew = 1;  // lines
  const auto solid = [](const std::string& text) {
    return std::ranges::count_if(lines_of(text), has_word);
  };
  return solid(it.contents) + kFew >= solid(it.target.text->str());
}

// A part of the file, shown without elisions at its ends, as chats do: the rest stays, if it has at
// least `least_beyond` lines. Nullopt if it may be meant otherwise, or breaks the syntax.
std::optional<NewText> merged_part(const WholeFile& it, size_t least_beyond) {
  const Text& text = *it.target.text;
  const auto part = as_part(it.contents, text, least_beyond);
  if (!part) return std::nullopt;
  auto merged = merge_lazy(*part, text, it.target.path);
  if (!merged) return std::nullopt;
  // A text that only omits lines is more likely a quote than a removal; one that omits many has
  // forgotten an elision.
  constexpr long kFew = 2;
  bool adds = false;
  long gone = 0;  // the most for which fewer come
  for (const Replacement& edit : *merged) {
    const std::string removed = text.substr(edit.offset, edit.length);
    const long lost = std::ranges::count_if(lines_of(removed), has_word) -
                      std::ranges::count_if(lines_of(edit.text), has_word);
    const bool brings = !is_blank_text(edit.text);
    adds |= brings;
    if (!brings && lost > 0) return std::nullopt;
    gone = std::max(gone, lost);
  }
  if (!adds || gone > kFew) return std::nullopt;
  auto made =
      sketched(it, *std::move(merged), true,
               fmt::format("shows only a part of {}; the rest stays as it is", it.target.path));
  return made ? std::optional(*std::move(made)) : std::nullopt;
}

FailureOr<NewText> created(const WholeFile& it) {
  if (!it.target.text) return rewritten(it, it.contents, EditResult::Shows::file);
  if (lines_of(it.target.text->str()) == lines_of(it.contents))
    return NewText{.state = State::already_applied};
  return failure(FailureKind::exists, fmt::format("{} already exists", it.target.path),
                 "edit what is there");
}

// An empty SEARCH half of a file that exists, whose new text is not that file.
FailureOr<NewText> added_at_end(const WholeFile& it) {
  const std::string& path = it.target.path;
  std::string text = it.target.text->str();
  if (it.contents.empty() || shares_outer_line(*it.target.text, it.contents))
    return failure(FailureKind::exists,
                   fmt::format("{} already exists, and the block quotes none of its lines", path),
                   "quote the lines that it replaces, or one to add lines to");
  if (text.ends_with(it.contents)) return NewText{.state = State::already_applied};
  if (!text.ends_with('\n')) text += '\n';
  return rewritten(it, text + it.contents, EditResult::Shows::file,
                   fmt::format("its empty SEARCH half adds its lines at the end of {}", path));
}

// True if the first line of code is indented: it is inside of a file, and no new one.
bool begins_inside(const WholeFile& it) {
  const std::vector<std::string> lines = lines_of(it.contents);
  const auto first =
      std::ranges::find_if_not(lines, [](const auto& line) { return is_blank(line); });
  return first != lines.end() && is_space(first->front()) && !kind_of(it.target.path).prose;
}

// True if a fence below a path may be a new file. A name without a folder in a heading may also be
// that of a module ("os.path"), a product ("Node.js") or a file in some folder.
bool may_be_new(const WholeFile& it) {
  const std::string& path = it.target.path;
  const auto* const fence = it.change.as<FileFence>();
  if (!names_file(path) || (fence && fence->names_existing)) return false;
  if (path.contains('/')) return true;
  if (!similar_paths(it.files, path).empty()) return false;
  if (fence && fence->has_bare_path) return true;
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return true;
  const std::string_view extension = std::string_view(path).substr(dot);
  if (extension == ".js" && path[0] >= 'A' && path[0] <= 'Z') return false;
  return has_known_extension(path) ||
         std::ranges::any_of(it.files.paths(),
                             [&](const std::string& other) { return other.ends_with(extension); });
}

// The file with the text in the place of all that it has, unless the text may not be all of it.
FailureOr<NewText> replaced(const WholeFile& it) {
  const FileChange& change = it.change;
  const std::string& path = it.target.path;
  if (!it.target.text) return rewritten(it, it.contents, EditResult::Shows::file);
  if (change.kind != FileChange::Kind::lazy && !change.is_shown() && !change.as<Readded>() &&
      is_partial_quote(it.contents, *it.target.text))
    return failure(FailureKind::malformed,
                   fmt::format("the text for {} at line {} of the edit only quotes lines of it, "
                               "and all other lines would be lost",
                               path, change.source_line),
                   "send the whole file, or SEARCH/REPLACE blocks");
  FailureOr<NewText> made = rewritten(it, it.contents, EditResult::Shows::file);
  if (!made) return made;
  if (const auto stop = where_it_stops(path, *it.target.text, it.contents, it.syntax))
    return failure(
        FailureKind::truncated,
        fmt::format("the new text of {} stops at line {} of it, and the rest would be lost", path,
                    *stop + 1),
        "send the file to its end; to remove its end, send a SEARCH/REPLACE block or a diff");
  if (const auto start = where_it_stops(path, *it.target.text, it.contents, it.syntax, false))
    return failure(
        FailureKind::malformed,
        fmt::format("the new text of {} begins at line {} of it, and what is above would be lost",
                    path, *start + 1),
        "send the file from its beginning; to remove that, send a SEARCH/REPLACE block or a diff");
  return made;
}

FailureOr<NewText> merged_sketch(const WholeFile& it) {
  if (!it.target.text)
    return failure(FailureKind::stale_path,
                   fmt::format("there is no file {}, so there is nothing that the new code "
                               "leaves out",
                               it.target.path));
  // One without an elision is the whole file, unless it stops where the file goes on.
  if (!has_elision(it.contents))
    if (auto whole = replaced(it); !whole) {
      if (auto part = merged_part(it, 1)) return *std::move(part);
      return whole;
    }
  auto merged = merge_lazy(it.contents, *it.target.text, it.target.path);
  if (merged) return sketched(it, *std::move(merged), is_json(it));
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
  if (is_shown && !text && begins_inside(it))
    return failure(FailureKind::stale_path,
                   fmt::format("there is no file {}, and the fence at line {} of the edit shows "
                               "only the inside of one",
                               path, change.source_line),
                   "give the path of the file that it is a part of");
  if (is_shown && !text && !may_be_new(it)) {
    if (const std::vector<std::string> alike = similar_paths(it.files, path); !alike.empty())
      return failure(
          FailureKind::stale_path,
          fmt::format("there is no file {}, and the fence at line {} of the edit may "
                      "mean {}",
                      path, change.source_line, alike.front()),
          "give the full path; a new file is a SEARCH/REPLACE block with an empty SEARCH");
    return failure(FailureKind::malformed,
                   fmt::format("the fence at line {} of the edit is below \"{}\", which may not "
                               "be a file",
                               change.source_line, path),
                   "if it is a new one, send it as a SEARCH/REPLACE block with an empty SEARCH");
  }
  if (empty && empty->text_decides && text && !is_blank_text(text->str()) &&
      !has_most_of(Text(it.contents), text->str()))
    return added_at_end(it);
  const auto part =
      is_shown && text ? why_not_whole(change, path, *text, it.contents, it.syntax) : std::nullopt;
  if (part && it.takes_parts && !has_nearly_all(it))
    if (auto merged = merged_part(it, 1)) return *std::move(merged);
  if (part)
    return failure(FailureKind::malformed,
                   fmt::format("{} exists, and the fence at line {} of the edit {}", path,
                               change.source_line, *part),
                   "send what changes as a SEARCH/REPLACE block");
  FailureOr<NewText> made = replaced(it);
  if (made && text && empty && !made->edits.empty())
    made->note = fmt::format("its empty SEARCH half replaces all {} lines of {}",
                             MappedText(*text).line_count(), path);
  return made;
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
