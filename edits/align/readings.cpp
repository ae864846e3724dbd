#include "edits/align/readings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "edits/align/lines.h"
#include "edits/plan/diff.h"
#include "edits/text/escapes.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;
using Lines = std::vector<std::string>;

Lines copies(const std::vector<std::string_view>& lines) { return {lines.begin(), lines.end()}; }

// The line diff of two halves whose lines are compared by `key`; both texts of a kept row stay.
std::shared_ptr<Reading> reading_of(const Hunk& hunk, Lines before, Lines after, LineKey key) {
  auto out = std::make_shared<Reading>();
  out->hunk = &hunk;
  out->price = kReading;
  Lines made(before.size() + after.size());  // keys that are no part of their line
  const auto keys = [&](const Lines& lines, size_t first) {
    std::vector<std::string_view> found;
    found.reserve(lines.size());
    for (const std::string& line : lines) found.push_back(key(line, made[first++]));
    return found;
  };
  const size_t split = before.size();
  const std::vector<Kind> kinds = diff_of(keys(before, 0), keys(after, split));
  out->storage = std::move(before);
  out->storage.insert(out->storage.end(), std::make_move_iterator(after.begin()),
                      std::make_move_iterator(after.end()));
  size_t i = 0, j = split;
  out->rows.reserve(kinds.size());
  for (const Kind kind : kinds) {
    Row& row = out->rows.emplace_back();
    row.kind = kind;
    if (kind != Kind::added) row.old_text = out->storage[i++];
    if (kind != Kind::removed) row.new_text = out->storage[j++];
  }
  return out;
}

template <class Change>
Lines each_line(const Lines& lines, const Change& change) {
  Lines out;
  for (const std::string& line : lines) out.emplace_back(change(line));
  return out;
}

std::optional<size_t> least_depth(const std::vector<std::string_view>& lines) {
  std::optional<size_t> least;
  for (const std::string_view line : lines)
    if (const size_t depth = indentation_of(line).size();
        !is_blank(line) && (!least || depth < *least))
      least = depth;
  return least;
}

// The halves compared without their depth, if that pairs more of their lines: their depths differ.
// Null if they do not.
std::shared_ptr<const Reading> with_separate_halves(const Hunk& hunk, const Lines& before,
                                                    const Lines& after) {
  std::shared_ptr<Reading> out = reading_of(hunk, before, after, loose_key);
  size_t kept = 0, kept_as_written = 0;
  std::vector<std::string_view> old_kept, new_kept;
  for (const Row& row : out->rows) {
    if (!row.is_kept() || is_blank(row.new_text)) continue;
    ++kept;
    old_kept.push_back(row.old_text);
    new_kept.push_back(row.new_text);
  }
  for (const HunkLine& line : hunk.lines)
    kept_as_written += line.kind == Kind::context && !is_blank(line.text);
  if (kept <= kept_as_written) return nullptr;
  const auto signed_size = [](std::optional<size_t> size) {
    return static_cast<long>(size.value_or(0));
  };
  const long above_new =
      signed_size(least_depth(out->new_side())) - signed_size(least_depth(new_kept));
  const long above_old =
      signed_size(least_depth(out->old_side())) - signed_size(least_depth(old_kept));
  if (above_new < above_old) return nullptr;
  // Halves that differ only in blanks at line ends are at one depth.
  out->halves = std::ranges::any_of(out->rows, [](const Row& row) {
    return row.is_kept() && !is_blank(row.new_text) &&
           indentation_of(row.new_text) != indentation_of(row.old_text);
  });
  out->deeper = std::ranges::none_of(out->rows, [](const Row& row) {
    return row.is_kept() && !is_blank(row.new_text) &&
           indentation_of(row.new_text).size() < indentation_of(row.old_text).size();
  });
  return out;
}

}  // namespace

std::vector<std::string_view> Reading::old_side() const {
  std::vector<std::string_view> lines;
  for (const Row& row : rows)
    if (row.is_old()) lines.push_back(row.old_text);
  return lines;
}

std::vector<std::string_view> Reading::new_side() const {
  std::vector<std::string_view> lines;
  for (const Row& row : rows)
    if (row.kind != Kind::removed) lines.push_back(row.new_text);
  return lines;
}

std::shared_ptr<const Reading> as_written(const Hunk& hunk) {
  auto out = std::make_shared<Reading>();
  out->hunk = &hunk;
  out->rows.reserve(hunk.lines.size());
  for (const HunkLine& line : hunk.lines) out->rows.push_back({line.kind, line.text, line.text});
  return out;
}

// Each reading undoes one thing that was done to all lines of a reply on its way: a viewer's line
// numbers, a page's entities, a JSON string's escapes. A line that the reading leaves as it is does
// not contradict it; it is confirmed by finding the result in the file, and so none is tried before
// the text as it was written.
std::vector<std::shared_ptr<const Reading>> other_readings(const Hunk& hunk) {
  std::vector<std::shared_ptr<const Reading>> found;
  const std::shared_ptr<const Reading> written = as_written(hunk);
  const Lines before = copies(written->old_side()), after = copies(written->new_side());
  const auto has = [&](std::string_view sign) {
    return std::ranges::any_of(hunk.lines, [&](const HunkLine& line) {
      return line.text.find(sign) != std::string::npos;
    });
  };
  const auto add = [&](Lines one, Lines other) {
    if (one == before && other == after) return;
    found.push_back(reading_of(hunk, std::move(one), std::move(other), exact_key));
  };
  if (std::ranges::all_of(
          before, [](const std::string& line) { return is_blank(line) || gutter_of(line) > 0; })) {
    const auto bare = [](const std::string& line) { return line.substr(gutter_of(line)); };
    add(each_line(before, bare), each_line(after, bare));
  }
  if (has("&")) add(each_line(before, without_entities), each_line(after, without_entities));
  if (has("\\")) {
    // Once too often escaped is all of it: what still breaks lines then is not within a string.
    Lines one = each_line(before, without_escaped_quotes),
          other = each_line(after, without_escaped_quotes);
    const auto breaks = [](const std::string& line) { return breaks_line_outside_string(line); };
    if (std::ranges::none_of(one, breaks) && std::ranges::none_of(other, breaks))
      add(std::move(one), std::move(other));
    add(without_escapes(before), without_escapes(after));
  }
  if (auto halves = with_separate_halves(hunk, before, after)) found.push_back(std::move(halves));
  return found;
}

}  // namespace bodkin
