#include "edits/lazy/lazy.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy_blocks.h"
#include "edits/lazy/lazy_losses.h"
#include "edits/lazy/lazy_merge.h"
#include "edits/lazy/lazy_seen.h"
#include "edits/lazy/lazy_spans.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

// Bytes of a file and a sketch that are parsed to be merged: it takes some tens of milliseconds.
constexpr size_t kLargestParsed = 8 * kParsedAtOnce;

std::vector<Replacement> written(const MappedText& file, const std::vector<LineEdit>& edits) {
  std::vector<Replacement> out;
  for (const LineEdit& edit : edits) {
    Replacement now = whole_lines(file, edit.begin, edit.end, edit.lines, std::nullopt);
    if (file.bytes().substr(now.offset, now.length) == now.text) continue;
    if (!out.empty() && out.back().offset + out.back().length == now.offset) {
      out.back().length += now.length;
      out.back().text += now.text;
    } else {
      out.push_back(std::move(now));
    }
  }
  return out;
}

// True if an edit only drops attributes, which models forget and do not mean to remove.
bool drops_attributes(const LazySide& file, const std::vector<LineEdit>& edits) {
  return std::ranges::any_of(edits, [&](const LineEdit& edit) {
    const auto is_attribute = [](std::string_view line) {
      const std::string_view text = trimmed(line);
      return text.starts_with('@') || text.starts_with("#[") || text.starts_with("template") ||
             (text.starts_with('[') && text.ends_with(']'));
    };
    return edit.lines.empty() &&
           std::all_of(file.lines.begin() + static_cast<long>(edit.begin),
                       file.lines.begin() + static_cast<long>(edit.end), is_attribute);
  });
}

// True if a body is left out on the line of its head.
bool elides_body_in_line(const std::vector<LineEdit>& edits) {
  return std::ranges::any_of(edits, [](const LineEdit& edit) {
    return std::ranges::any_of(edit.lines, [](const auto& line) { return elides_in_line(line); });
  });
}

// True if a declaration might be among the removed lines.
bool may_remove_declaration(const LazySide& file, const std::vector<LineEdit>& edits) {
  return std::ranges::any_of(edits, [&](const LineEdit& edit) {
    const auto removed =
        std::count_if(file.lines.begin() + static_cast<long>(edit.begin),
                      file.lines.begin() + static_cast<long>(edit.end), opens_block);
    return removed > std::ranges::count_if(edit.lines, opens_block);
  });
}

// A declaration whose head is replaced by something that does not have its name.
const SyntaxBlock* removed_declaration(const LazySide& file, const std::vector<LineEdit>& edits) {
  for (const SyntaxBlock& block : file.blocks) {
    if (!block.is_declaration || block.kind == "import") continue;
    const size_t head = head_line(file, block);
    for (const LineEdit& edit : edits)
      if (edit.begin <= head && head < edit.end && !edit.lines.empty() &&
          std::ranges::none_of(edit.lines, [&](const std::string& line) {
            return line.find(block.name) != line.npos;
          }))
        return &block;
  }
  return nullptr;
}

// "// mostly unchanged" of the file, shown with the lines that it has next to it there, stands for
// nothing. Where the sketch has another elision on one side, that one stands for what is there. Nor
// does a comment that only may elide and is a line of the file, changed.
void keep_quoted_elisions(LazySide& sketch, const LazySide& file) {
  const auto next = [](const LazySide& side, size_t line, bool down) -> std::optional<size_t> {
    while (down ? line + 1 < side.lines.size() : line > 0)
      if (down ? ++line : --line; !trimmed(side.lines[line]).empty()) return line;
    return std::nullopt;
  };
  std::unordered_map<std::string_view, std::vector<size_t>> places;  // of the file's lines, trimmed
  for (size_t line = 0; line < file.lines.size(); ++line)
    places[trimmed(file.lines[line])].push_back(line);
  const auto places_of = [&](std::string_view text) -> const std::vector<size_t>& {
    static const std::vector<size_t> kNone;
    const auto found = places.find(text);
    return found == places.end() ? kNone : found->second;
  };
  // True if the file has a line with most words of this one, next to the lines that the sketch has
  // above and below. One of these may elide.
  std::map<std::array<std::string_view, 3>, bool> known;
  const auto is_changed_line = [&](size_t i) {
    const auto above = next(sketch, i, false), below = next(sketch, i, true);
    if (!above || !below || (sketch.elides(*above) && sketch.elides(*below))) return false;
    const auto [answer, is_new] = known.try_emplace(
        {sketch.elides(*above) ? std::string_view() : trimmed(sketch.lines[*above]),
         trimmed(sketch.lines[i]),
         sketch.elides(*below) ? std::string_view() : trimmed(sketch.lines[*below])},
        false);
    if (!is_new) return answer->second;
    const std::vector<std::string_view> words = tokens_of(sketch.lines[i]);
    const auto fits = [&](std::optional<size_t> ours, size_t shown) {
      return sketch.elides(shown) ||
             (ours && trimmed(file.lines[*ours]) == trimmed(sketch.lines[shown]));
    };
    const bool from_above = !sketch.elides(*above);
    for (const size_t beside : places_of(trimmed(sketch.lines[from_above ? *above : *below]))) {
      const auto line = next(file, beside, from_above);
      if (!line || !fits(next(file, *line, false), *above) ||
          !fits(next(file, *line, true), *below))
        continue;
      const std::vector<std::string_view> own = tokens_of(file.lines[*line]);
      const auto shared = std::ranges::count_if(
          words, [&](std::string_view word) { return std::ranges::count(own, word) > 0; });
      if (2 * static_cast<size_t>(shared) >= words.size()) return answer->second = true;
    }
    return false;
  };
  for (size_t i = 0; i < sketch.lines.size(); ++i) {
    if (!sketch.elides(i)) continue;
    const std::string_view text = trimmed(sketch.lines[i]);
    const std::vector<size_t>& own = places_of(text);
    if (own.empty()) {
      if (elision_in(text) == Elision::perhaps && is_changed_line(i)) sketch.elided[i] = false;
      continue;
    }
    const size_t there = own.front();
    size_t equal = 0, elided = 0;
    for (const bool down : {false, true}) {
      const auto here = next(sketch, i, down), ours = next(file, there, down);
      if (here && sketch.elides(*here))
        ++elided;
      else if (here && ours)
        equal += trimmed(sketch.lines[*here]) == trimmed(file.lines[*ours]);
    }
    if (equal > 0 && equal + elided == 2) sketch.elided[i] = false;
  }
}

FailureOr<std::vector<Replacement>> merged(std::string_view sketch, const Text& file,
                                           std::string_view path, const Syntax* syntax) {
  const MappedText mapped(file);
  const ReplyLines reply(sketch);
  LazySide ours, theirs;
  ours.lines.assign(reply.lines.begin(), reply.lines.end());
  ours.elided = elisions_of(reply.lines);
  for (size_t i = 0; i < mapped.line_count(); ++i) theirs.lines.emplace_back(mapped.line(i));
  keep_quoted_elisions(ours, theirs);
  if (!ours.elides_anywhere() && is_partial_quote(std::string(sketch), file))
    return lazy_error(FailureKind::ambiguous, 0,
                      "it only quotes lines of the file, and all other lines would be lost",
                      "write "
                      "`... existing code ...` for unchanged parts, and write what changes");

  const auto by_lines = merge_sides(ours, theirs, false);
  const bool is_known = syntax && syntax->knows(path);
  if (!is_known && !by_lines) return std::unexpected(by_lines.error());
  const bool careless = by_lines && drops_attributes(theirs, *by_lines);
  const bool is_doubtful =
      careless || (by_lines && (by_lines->empty() || elides_body_in_line(*by_lines)));
  if (by_lines && (!is_known || (!is_doubtful && !may_remove_declaration(theirs, *by_lines))))
    return written(mapped, *by_lines);
  if (file.size() + sketch.size() > kLargestParsed) {
    if (!by_lines) return std::unexpected(by_lines.error());
    return lazy_error(
        FailureKind::ambiguous, 0,
        "the lines alone do not say what the sketch means, and file and sketch are too "
        "large to be merged by their declarations",
        "send SEARCH/REPLACE blocks");
  }
  theirs.blocks = syntax->blocks(path, file);
  std::erase_if(theirs.blocks, [&](auto& block) { return block.lines.end > theirs.lines.size(); });
  const SyntaxBlock* lost = by_lines && may_remove_declaration(theirs, *by_lines)
                                ? removed_declaration(theirs, *by_lines)
                                : nullptr;
  if (by_lines && !is_doubtful && !lost) return written(mapped, *by_lines);

  ours.blocks = syntax->blocks(path, Text(joined(ours.lines)), &ours.elided);
  std::erase_if(ours.blocks, [&](auto& block) { return block.lines.end > ours.lines.size(); });
  const auto key = std::ranges::find_if(theirs.blocks, &SyntaxBlock::is_declaration);
  if ((path.ends_with(".yaml") || path.ends_with(".yml")) && key != theirs.blocks.end()) {
    span_keys(ours, key->kind);
    for (SyntaxBlock& block : theirs.blocks)
      if (block.is_declaration) block.body_line = std::min(block.body_line, block.lines.begin + 1);
  }
  span_brackets(ours, theirs);
  // A sketch whose pieces are not whole blocks is read by lines, within the declarations it names.
  const auto by_blocks = merge_sides(ours, theirs, !ours.blocks.empty());
  if (const LineEdit* edit = by_blocks ? unsupported_edit(ours, theirs, *by_blocks) : nullptr) {
    const auto first = std::ranges::find_if_not(edit->lines, is_blank);
    const auto shown =
        first == edit->lines.end()
            ? ours.lines.begin()
            : std::ranges::find(ours.lines, trimmed(*first),
                                [](const std::string& line) { return trimmed(line); });
    return lazy_error(
        FailureKind::ambiguous,
        shown == ours.lines.end() ? 0 : static_cast<size_t>(shown - ours.lines.begin()),
        "it does not show everything that would be removed, or where new lines belong",
        "show the unchanged lines directly before and after each change");
  }
  if (!by_blocks || (by_lines && ours.blocks.empty())) {
    if (lost)
      return lazy_error(FailureKind::ambiguous, 0,
                        "by its lines, `" + lost->name + "` of the file would be lost",
                        "include it, or elide it");
    if (by_lines && !by_lines->empty()) return written(mapped, *by_lines);
    if (!by_blocks) return std::unexpected(by_blocks.error());
    if (!ours.elides_anywhere()) return written(mapped, *by_lines);
    return lazy_error(FailureKind::not_found, 0, "everything in the sketch is already in the file",
                      "to remove lines, show the lines before "
                      "and after them next to each other");
  }
  if (ours.blocks.empty() && may_remove_declaration(theirs, *by_blocks) &&
      removed_declaration(theirs, *by_blocks))
    return std::unexpected(by_lines.error());
  std::vector<Replacement> edits = written(mapped, *by_blocks);
  // What by its lines changes nothing may only remove what is between them.
  const bool adds =
      std::ranges::any_of(*by_blocks, [](const LineEdit& edit) { return !edit.lines.empty(); });
  if (by_lines && !lost && !careless && (!by_lines->empty() || adds) &&
      edits != written(mapped, *by_lines))
    return lazy_error(
        FailureKind::ambiguous, 0,
        "matched by lines the sketch means one thing, and matched by declarations another",
        "show "
        "more lines that stay around each change");
  const auto broken = syntax->new_errors(path, file, with_edits(file, edits));
  if ((broken && broken->empty()) || (by_lines && !lost)) return edits;
  if (!broken)
    return lazy_error(
        FailureKind::not_found, 0,
        "merged by declarations, it gives text that cannot be parsed, and so cannot be "
        "checked",
        "send SEARCH/REPLACE blocks");
  return failure(FailureKind::not_found,
                 "merged by its declarations, the sketch would break the syntax at line " +
                     std::to_string(broken->front() + 1),
                 "show more of what stays");
}

}  // namespace

std::optional<std::string> as_part(std::string_view sketch, const Text& file, size_t least_beyond,
                                   std::string_view path, const Syntax* syntax) {
  constexpr std::string_view kElision = "// ... existing code ...\n";
  constexpr size_t kShown = 3;  // lines that show where it begins or ends
  const MappedText mapped(file);
  const ReplyLines shown(sketch);
  const std::vector<char> elided = elisions_of(shown.lines);
  std::vector<std::string_view> lines, ours;
  for (size_t i = 0; i < mapped.line_count(); ++i)
    if (!is_blank(mapped.line(i))) lines.push_back(trimmed(mapped.line(i)));
  size_t outermost = std::string::npos;
  for (size_t i = 0; i < shown.lines.size(); ++i)
    if (!is_blank(shown.lines[i])) outermost = std::min(outermost, depth_of(shown.lines[i]));
  // Of an elision within a block, the file goes on beyond that block, too.
  bool is_elided_above = false, is_elided_below = false, begins = false;
  for (size_t i = 0; i < shown.lines.size(); ++i) {
    if (is_blank(shown.lines[i])) continue;
    const bool ends_part = elided[i] && depth_of(shown.lines[i]) == outermost;
    is_elided_above |= !begins && ends_part;
    is_elided_below = ends_part || (elided[i] && is_elided_below);
    begins |= !elided[i];
    if (!elided[i]) ours.push_back(trimmed(shown.lines[i]));
  }
  const auto lies_beyond = [&](const auto& begin, const auto& end, const auto& first) {
    for (size_t k = std::min<size_t>(kShown, ours.size()); k > 1; --k)
      if (const auto at = std::search(begin, end, first, first + static_cast<long>(k)); at != end)
        return static_cast<size_t>(at - begin) >= least_beyond;
    // One line alone may stand anywhere.
    const auto beyond = begin + std::min<long>(end - begin, static_cast<long>(least_beyond));
    return std::find(beyond, end, *first) != end;
  };
  const bool above = !is_elided_above, below = !is_elided_below;
  if (!above && !below) return std::string(sketch);  // it says so
  // What is changed at an end may be a line that an elision there would keep.
  const auto is_in_file = [&](std::string_view line) {
    return std::ranges::find(lines, line) != lines.end();
  };
  // … unless it ends a declaration that the part shows whole.
  const auto ends_declaration = [&] {
    if (!syntax || !syntax->knows(path) || sketch.size() > kParsedAtOnce) return false;
    size_t end = shown.lines.size();
    while (end > 0 && is_blank(shown.lines[end - 1])) --end;
    return std::ranges::any_of(
        syntax->blocks(path, Text(std::string(sketch))), [&](const SyntaxBlock& block) {
          return block.is_declaration && block.lines.end == end && block.lines.begin + 1 < end &&
                 is_in_file(trimmed(shown.lines[block.lines.begin]));
        });
  };
  if (ours.empty() || (above && !is_in_file(ours.front())) ||
      (below && !is_in_file(ours.back()) && !ends_declaration()))
    return std::nullopt;
  if (!(above && lies_beyond(lines.begin(), lines.end(), ours.begin())) &&
      !(below && lies_beyond(lines.rbegin(), lines.rend(), ours.rbegin())))
    return std::nullopt;
  std::string part(above ? kElision : std::string_view());
  part += sketch;
  if (below) part.append(part.ends_with('\n') ? "" : "\n").append(kElision);
  return part;
}

FailureOr<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file,
                                               std::string_view path, const Syntax* syntax) {
  auto edits = merged(sketch, file, path, syntax);
  if (edits)
    if (auto fine = check_for_losses(sketch, file, path, *edits); !fine)
      return std::unexpected(fine.error());
  return edits;
}

}  // namespace bodkin
