// Longer than 350 lines: one inference, step by step, and what is done with each of its answers.
#include "edits/place/depth.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "edits/formats/reply_lines.h"
#include "edits/place/new_depths.h"
#include "edits/place/reindent.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

constexpr size_t kMaxLines = 400;  // of a hunk

constexpr PlaceDoubt kOpenDepth = {
    "neither half is indented, so the indentation of its new lines is unknown",
    "send both halves indented like the file"};

constexpr PlaceDoubt kContradictingDepths = {"they do not agree on the indentation of the new ones",
                                             "send both halves indented like the file"};

constexpr PlaceDoubt kMixedDepths = {
    "some of its new lines are indented like the quote and others like the file",
    "send it with the indentation of the file"};

constexpr PlaceDoubt kOpenBelowFirst = {
    "only the first line of its old text lost its indentation, and its new text is indented "
    "differently",
    "send it with the indentation of the file"};

constexpr PlaceDoubt kLostHead = {
    "it removes a line that the lines below are indented for, and does not say where those belong",
    "send both halves indented like the file"};

bool closes(std::string_view text) {
  return !text.empty() && (std::string_view("})]").find(text.front()) != std::string_view::npos ||
                           text.starts_with("end") || text.starts_with("</"));
}

// A line below which a block of its own must be deeper, not only may. One of a comment is none.
bool opens(std::string_view text) {
  if (is_comment(text)) return false;
  if (text.ends_with('{'))
    return !starts_with_word(text, {"namespace", "extern"}) && text.find('}') == text.npos;
  return text.ends_with(':') &&
         starts_with_word(text, {"if", "for", "while", "def", "class", "else", "elif", "try",
                                 "except", "finally", "with", "async"});
}

struct Line {
  size_t index;           // of the hunk's line
  std::string_view text;  // trimmed
  std::string_view own;   // its indentation in the hunk
  bool is_new = false;
  size_t file = kNoLine;  // the file's line that it is, or whose place it takes
};

class Inference {
 public:
  Inference(const MappedText& file, const Hunk& hunk, const Place& place)
      : file_(file), place_(place) {
    size_t old = 0;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const HunkLine& line = hunk.lines[i];
      const size_t at = line.kind == Kind::added ? kNoLine : place.line_for(old++);
      if (is_blank(line.text)) continue;
      const Line read{i, trimmed(line.text), indentation_of(line.text), line.kind == Kind::added,
                      at};
      if (line.kind != Kind::added) before_.push_back(read);
      if (line.kind != Kind::removed) after_.push_back(read);
    }
  }

  // True if the new half has lost its indentation.
  bool is_lost() const {
    if (before_.empty() || after_.empty() || before_.size() + after_.size() > kMaxLines)
      return false;
    if (std::ranges::none_of(after_, &Line::is_new)) return false;
    if (!is_flat(after_)) return false;
    const std::set<std::string_view> ours = depths_in_file();
    if (is_flat(before_) && ours.size() > 1) return true;
    for (size_t i = 0; i + 1 < after_.size(); ++i)
      if (opens(after_[i].text) && !closes(after_[i + 1].text) && ours.size() + after_.size() > 2)
        return true;
    return false;
  }

  // True if a kept line of a quote that has lost its indentation is in a block whose head is
  // removed without a replacement. It would stay as deep as it is.
  bool loses_head() const {
    if (before_.empty() || before_.size() + after_.size() > kMaxLines || !is_flat(before_) ||
        depths_in_file().size() < 2)
      return false;
    const auto stays = [&](size_t index) {
      return std::ranges::any_of(after_, [&](const Line& line) { return line.index == index; });
    };
    return std::ranges::any_of(after_, [&](const Line& kept) {
      const Line* head = kept.is_new || kept.file == kNoLine ? nullptr : head_of(kept);
      return head && !stays(head->index) && std::ranges::none_of(after_, [&](const Line& line) {
               return line.is_new && line.index < kept.index && may_open(line.text);
             });
    });
  }

  // The indentation of each line of the new half; nothing: one is open.
  std::optional<std::map<size_t, std::string>> depths() {
    pair();
    std::map<size_t, std::string> out;
    std::string above(indentation_above());
    std::string_view text_above = text_above_;
    for (size_t k = 0; k < after_.size(); ++k) {
      const Line& line = after_[k];
      std::string depth;
      if (line.file != kNoLine) {
        depth = indentation_of(file_.line(line.file));
      } else {
        const auto free = depth_between(k, above, text_above);
        if (!free) return std::nullopt;
        depth = *free;
      }
      if (!may_follow(k, depth, above, text_above)) return std::nullopt;
      above = depth;
      text_above = line.text;
      if (line.is_new) out[line.index] = std::move(depth);
    }
    return out;
  }

 private:
  static bool is_flat(const std::vector<Line>& lines) {
    return std::ranges::all_of(lines, [&](const Line& line) { return line.own == lines[0].own; });
  }

  std::set<std::string_view> depths_in_file() const {
    std::set<std::string_view> depths;
    for (const Line& line : before_)
      if (line.file != kNoLine) depths.insert(indentation_of(file_.line(line.file)));
    return depths;
  }

  // The nearest old line above that is less deep in the file; null: the quote has none.
  const Line* head_of(const Line& line) const {
    const size_t depth = indentation_of(file_.line(line.file)).size();
    const Line* head = nullptr;
    for (const Line& above : before_) {
      if (above.index >= line.index) break;
      if (above.file == kNoLine) continue;
      const size_t own = indentation_of(file_.line(above.file)).size();
      if (own < depth) head = &above;
    }
    return head;
  }

  // New lines and the old ones whose place they take, run by run, in order: those most alike, then
  // those between them, if these are as many.
  void pair() {
    for (size_t k = 0; k < after_.size();) {
      if (!after_[k].is_new) {
        ++k;
        continue;
      }
      size_t end = k;
      while (end < after_.size() && after_[end].is_new) ++end;
      const size_t from = k == 0 ? 0 : after_[k - 1].index + 1;
      const size_t to = end == after_.size() ? static_cast<size_t>(-1) : after_[end].index;
      std::vector<const Line*> removed;
      for (const Line& line : before_)
        if (line.index >= from && line.index < to && line.file != kNoLine) removed.push_back(&line);
      pair_run(k, end, removed);
      k = end;
    }
  }

  void pair_run(size_t begin, size_t end, const std::vector<const Line*>& removed) {
    const size_t rows = removed.size(), columns = end - begin;
    std::vector<double> like(rows * columns), best((rows + 1) * (columns + 1), 0);
    const auto at = [&](size_t r, size_t c) -> double& { return best[r * (columns + 1) + c]; };
    for (size_t r = rows; r-- > 0;)
      for (size_t c = columns; c-- > 0;) {
        const double found = token_similarity(removed[r]->text, after_[begin + c].text);
        like[r * columns + c] = found >= kAlike ? found : 0;
        at(r, c) = std::max({at(r + 1, c), at(r, c + 1), at(r + 1, c + 1) + like[r * columns + c]});
      }
    const auto fill = [&](size_t r, size_t r_end, size_t c, size_t c_end) {
      if (r_end - r != c_end - c) return;
      for (; r < r_end; ++r, ++c)
        if (opens(removed[r]->text) == opens(after_[begin + c].text))
          after_[begin + c].file = removed[r]->file;
    };
    size_t r = 0, c = 0, r_from = 0, c_from = 0;
    while (r < rows && c < columns) {
      if (like[r * columns + c] > 0 && at(r, c) == at(r + 1, c + 1) + like[r * columns + c]) {
        fill(r_from, r, c_from, c);
        after_[begin + c].file = removed[r]->file;
        r_from = ++r, c_from = ++c;
      } else if (at(r, c) == at(r + 1, c)) {
        ++r;
      } else {
        ++c;
      }
    }
    fill(r_from, rows, c_from, columns);
  }

  std::string_view indentation_above() {
    for (size_t i = place_.first; i-- > 0;)
      if (!is_blank(file_.line(i))) {
        text_above_ = trimmed(file_.line(i));
        return indentation_of(file_.line(i));
      }
    return {};
  }

  // The indentation of what follows in the new text, and its text.
  std::pair<std::string_view, std::string_view> below(size_t k) const {
    for (size_t i = k + 1; i < after_.size(); ++i)
      if (after_[i].file != kNoLine)
        return {indentation_of(file_.line(after_[i].file)), after_[i].text};
    for (size_t i = place_.last; i < file_.line_count(); ++i)
      if (!is_blank(file_.line(i))) return {indentation_of(file_.line(i)), trimmed(file_.line(i))};
    return {};
  }

  std::optional<std::string> depth_between(size_t k, const std::string& above,
                                           std::string_view text_above) const {
    const auto [depth_below, text_below] = below(k);
    if (closes(after_[k].text)) return std::nullopt;
    if (opens(text_above)) {
      if (depth_below.size() > above.size() && depth_below.starts_with(above) &&
          !starts_with_word(text_below, {"else", "elif", "except", "finally"}))
        return std::string(depth_below);
      const MappedText::Indentation style = file_.indentation();
      if (style.tabs == style.blanks) return std::nullopt;
      return above + (style.tabs ? "\t" : std::string(style.unit > 0 ? style.unit : 4, ' '));
    }
    if (may_open(text_above)) return std::nullopt;
    if (depth_below == above && !text_below.empty()) return above;
    // Below it, only its own block is closed.
    if (depth_below.size() < above.size() && closes(text_below) && !text_above.ends_with(':'))
      return above;
    return std::nullopt;
  }

  // True if a line of this depth may follow that one. What the file has so is right.
  bool may_follow(size_t k, const std::string& depth, const std::string& above,
                  std::string_view text_above) const {
    if (k > 0 && after_[k].file != kNoLine && after_[k - 1].file != kNoLine && !after_[k].is_new &&
        !after_[k - 1].is_new)
      return true;
    if (opens(text_above) && !closes(after_[k].text)) return depth.size() > above.size();
    return depth.size() <= above.size() || may_open(text_above) || text_above.empty();
  }

  const MappedText& file_;
  const Place& place_;
  std::vector<Line> before_, after_;
  std::string_view text_above_;
};

// The lines of the file where the old half was found; empty: some were not.
std::vector<std::string> lines_at(const MappedText& file, const Hunk& hunk, const Place& place) {
  const std::vector<std::string_view> old = old_side(hunk);
  std::vector<std::string> lines;
  for (size_t i = 0; i < old.size(); ++i) {
    const size_t line = place.line_for(i);
    if (line == kNoLine && !is_blank(old[i])) return {};
    lines.emplace_back(line == kNoLine ? old[i] : file.line(line));
  }
  return lines;
}

// The first line of the new half, too, if it lost its indentation as that of the old half did.
void indent_first(const std::vector<std::string_view>& old, const std::vector<std::string>& ours,
                  std::vector<std::string>& now) {
  const auto is_solid = [](std::string_view line) { return !is_blank(line); };
  const auto quoted = std::ranges::find_if(old, is_solid);
  const auto first = std::ranges::find_if(now, is_solid);
  if (quoted == old.end() || first == now.end()) return;
  const std::string_view depth = indentation_of(ours[static_cast<size_t>(quoted - old.begin())]);
  const std::string_view own = indentation_of(*first);
  const bool is_directive = first->size() > 1 && first->front() == '#' && is_word_char((*first)[1]);
  if (own == indentation_of(*quoted) && own.size() < depth.size() && !is_directive)
    *first = std::string(depth) + first->substr(own.size());
}

// All lines of the new half, by as much as the first line of the old half lost.
void indent_all(const std::vector<std::string_view>& old, const std::vector<std::string>& ours,
                std::vector<std::string>& now) {
  const size_t first = static_cast<size_t>(std::ranges::find_if_not(old, is_blank) - old.begin());
  const std::string lost(indentation_of(ours[first]).substr(indentation_of(old[first]).size()));
  for (std::string& line : now)
    if (!is_blank(line)) line.insert(0, lost);
}

// The same for bytes that begin after the indentation of their line: they have all of the file but
// that, which stays where it is.
Place with_depths_below_first(const MappedText& file, const Hunk& hunk, Place place) {
  if (place.offset != file.begin_of(place.first) + indentation_of(file.line(place.first)).size())
    return place;
  const std::vector<std::string> ours = lines_at(file, hunk, place);
  const NewDepths depths = ours.empty() ? NewDepths::quotes : depths_below_first(hunk, ours);
  if (depths == NewDepths::open_below_first) place.doubt = kOpenBelowFirst;
  if (depths != NewDepths::below_first) return place;
  std::vector<std::string> old, now;
  for (const std::string_view line : old_side(hunk)) old.emplace_back(line);
  for (const std::string_view line : new_side(hunk)) now.emplace_back(line);
  indent_all(old_side(hunk), ours, now);
  now[0] = new_side(hunk)[0];
  auto own = std::make_shared<Hunk>(hunk);
  own->lines = lines_of_halves(old, std::move(now));
  place.hunk = std::move(own);
  place.indented = true;
  return place;
}

}  // namespace

Place with_depths(const MappedText& file, const Hunk& hunk, Place place) {
  if (place.indented || !place.doubt.empty()) return place;
  const Hunk& read = place.hunk ? *place.hunk : hunk;
  if (place.within_lines) return with_depths_below_first(file, read, std::move(place));
  if (!changes_indentation(place.quality)) return place;
  if (const auto ours = lines_at(file, read, place); !ours.empty()) {
    std::vector<std::string> now;
    size_t old = 0;
    for (const HunkLine& line : read.lines) {
      const size_t i = line.kind == Kind::added ? 0 : old++;
      if (line.kind == Kind::removed) continue;
      now.push_back(line.kind == Kind::context && read.shares_context ? ours[i] : line.text);
    }
    const NewDepths depths = new_depths(file, read, place, ours);
    if (depths == NewDepths::open_below_first) place.doubt = kOpenBelowFirst;
    if (depths == NewDepths::open)
      place.doubt = read.shares_context ? kMixedDepths : kContradictingDepths;
    if (depths == NewDepths::files || depths == NewDepths::below_first) {
      // As if the old half had been quoted with the file's indentation.
      if (depths == NewDepths::files)
        indent_first(old_side(read), ours, now);
      else
        indent_all(old_side(read), ours, now);
      auto own = std::make_shared<Hunk>(read);
      own->lines = lines_of_halves(ours, std::move(now));
      place.hunk = std::move(own);
      place.indented = true;
    }
    if (depths != NewDepths::quotes) return place;
  }
  Inference inference(file, read, place);
  if (inference.loses_head()) {
    place.doubt = kLostHead;
    return place;
  }
  if (!inference.is_lost()) return place;
  const auto depths = inference.depths();
  if (!depths) {
    place.doubt = kOpenDepth;
    return place;
  }
  auto indented = std::make_shared<Hunk>(read);
  for (const auto& [index, depth] : *depths) {
    std::string& text = indented->lines[index].text;
    text = depth + std::string(text.substr(indentation_of(text).size()));
  }
  place.hunk = std::move(indented);
  place.indented = true;
  return place;
}

}  // namespace bodkin
