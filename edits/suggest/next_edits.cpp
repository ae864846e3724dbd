#include "edits/suggest/next_edits.h"

#include <algorithm>
#include <optional>
#include <string>

#include "edits/align/lines.h"
#include "edits/place/write.h"
#include "edits/suggest/edited_words.h"
#include "edits/text/comments.h"
#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"
#include "edits/text/mapped_text.h"

namespace bodkin {
namespace {

constexpr size_t kMostPlaces = 30;  // what stands more often is a habit of the file
constexpr size_t kAround = 12;      // lines that say which of several siblings it is
constexpr size_t kMostGrowth = 1;   // lines that an edit adds which is meant elsewhere, too
constexpr size_t kHabit = 2;        // what was done so often before goes on
constexpr size_t kLeft = 3;         // places that a rename is known by, after a second change
constexpr size_t kOften = 6;        // so often a rename goes on to its end

struct Renamed : Renaming {
  // The word before its dot if it is a member, else "". Nullopt: it is a member of several things.
  std::optional<std::string> owner;
};

class Search {
 public:
  Search(const Text& file, const EditedLines& edit, const std::vector<EditedLines>& earlier,
         const CodeAt& code)
      : file_(file), edit_(edit), earlier_(earlier), code_(code) {}

  NextEdits same_lines() {
    NextEdits out;
    const Lines& old = edit_.before;
    if (edit_.after.size() > old.size() + kMostGrowth) return out;
    // Code is commented out for a reason of that one place (3 of 6 followed).
    if (!edit_.after.empty() && is_comment(edit_.after.front()) && !is_comment(old.front()))
      return out;
    const std::string_view depth = shared_indentation(old);
    const auto head = std::ranges::find_if(old, is_solid);
    if (!says_enough(old) || head == old.end()) return out;
    const Past past =
        past_of([&](const EditedLines& other) { return made_of(old, other) == edit_.after; });
    // Lines that are removed, make room for others or change a value do so only there, until they
    // do twice.
    if (past.times == 0 && !is_variation(edit_)) return out;
    const size_t ahead = static_cast<size_t>(head - old.begin());
    std::vector<size_t> hits;
    if (!file_.lines_with(trimmed(*head), kMostPlaces, hits)) return out;
    for (const size_t hit : hits) {
      if (hit < ahead || hit - ahead + old.size() > file_.line_count()) continue;
      const size_t first = hit - ahead;
      const LineRange place{first, first + old.size()};
      if (is_edited(place) || (!out.edits.empty() && first < out.edits.back().lines.end)) continue;
      Lines there;
      for (size_t line = place.begin; line < place.end; ++line)
        there.emplace_back(file_.line(line));
      const std::string_view own = shared_indentation(there);
      if (moved(there, own, depth) != old || lacks_names(place) || loses_names(place) ||
          is_of_its_place(place))
        continue;
      if (auto lines = moved(edit_.after, depth, own))
        add(out, place, *lines, own == depth && past.times >= kHabit);
    }
    doubt_if_passed_over(out, past);
    out.what = "Same change";
    return below_first(std::move(out));
  }

  NextEdits new_name() {
    NextEdits out;
    const auto words = renamed();
    if (!words) return out;
    const auto& [from, to, offset] = static_cast<const Renaming&>(*words);
    if (!code_.is_name(offset, to.size()) || stands_elsewhere(to)) return out;
    const auto scope = scope_of(from), known = scope_of(to);
    LineRange within = scope.value_or(LineRange{0, file_.line_count()});
    if (known) within = {std::max(within.begin, known->begin), std::min(within.end, known->end)};
    bool is_declared = false, is_function = false, is_member = false, has_key = false;
    for (size_t i = 0; i < edit_.before.size(); ++i) {
      const bool is_head = is_in_head(line_at(), edit_.first + i, code_.function_at),
                 is_declared_here = declares(edit_.before[i], from, is_head) != Declares::nothing,
                 is_function_here =
                     is_head && is_own_name(edit_.before[i], from) &&
                     !is_in_parameters(line_at(), edit_.first + i, code_.function_at);
      is_declared |= is_declared_here;
      is_function |= is_function_here;
      is_member |= (is_declared_here || is_function_here) && !is_top_level(edit_.before[i], from);
      has_key |= is_property(edit_.before[i], from);
    }
    // It may be that only this use of it was meant to be of something else.
    const bool is_called = file_.bytes().substr(offset + to.size()).starts_with('('),
               is_bound = !is_called && code_.is_bound(offset, to.size());
    bool was_declared = false;
    const Past past = past_of([&](const EditedLines& other) {
      const bool is_such = is_in(other.before, from) && !is_in(other.after, from) &&
                           is_in(other.after, to) && !is_in(other.before, to);
      was_declared |= is_such && std::ranges::any_of(other.before, [&](const std::string& line) {
                        return declares(line, from, false) != Declares::nothing;
                      });
      return is_such;
    });
    if (!is_declared && !is_function && !is_bound && past.times == 0) return out;
    // `_name` is not used any more, and `Name` is something else than `name`.
    bool is_likely =
        (is_declared || is_function || is_bound || was_declared || past.times >= kHabit) &&
        (!to.starts_with('_') || from != std::string_view(to).substr(1)) &&
        is_type_name(from) == is_type_name(to) && !is_in(edit_.after, from);
    for (size_t at = find_bytes(file_.bytes(), from); at != std::string_view::npos;) {
      const size_t line = file_.line_at(at);
      const bool is_here = within.begin <= line && line < within.end;
      if (is_here && !is_edited({line, line + 1}) && !is_comment(file_.line(line))) {
        // A function's name that something else has, too, is not certain to be the function's.
        const bool is_head = is_function && is_in_head(line_at(), line, code_.function_at);
        if (declares(file_.line(line), from, is_head) != Declares::nothing) {
          if (!is_declared || is_function) return {};
          is_likely &= scope.has_value();  // it may be another function's
        }
        // Two types may have a property of this name.
        is_likely &= !has_key || !is_property(file_.line(line), from);
        const auto [text, is_sure] = with_name(line, *words, scope || !is_member);
        if (text != file_.line(line)) add(out, {line, line + 1}, {text}, is_sure);
      }
      if (out.edits.size() > kMostPlaces) return {};
      at = find_bytes(file_.bytes(), from, file_.next_of(line));
    }
    const auto places = static_cast<size_t>(std::ranges::count_if(out.edits, &NextEdit::is_sure));
    is_likely &= past.times >= kOften || (past.times > 0 && places >= kLeft);
    for (NextEdit& each : out.edits) each.is_sure &= is_likely;
    if (!is_declared && !is_function && !was_declared) doubt_if_passed_over(out, past);
    out.what = from + " → " + to;
    out.renaming = *words;
    return below_first(std::move(out));
  }

 private:
  void add(NextEdits& out, const LineRange& place, const Lines& lines, bool is_sure) const {
    out.edits.push_back(
        {place, whole_lines(file_, place.begin, place.end, lines, std::nullopt), {}, is_sure});
  }

  // The number of such edits before, and whether the last one was further down.
  struct Past {
    size_t times = 0;
    bool is_going_up = false;
  };
  Past past_of(const std::function<bool(const EditedLines&)>& is_such) const {
    Past past;
    for (const EditedLines& other : earlier_)
      if (is_such(other) && past.times++ == 0) past.is_going_up = other.first > edit_.first;
    return past;
  }

  // A person who left a place as it is on the way here may leave others, too.
  void doubt_if_passed_over(NextEdits& out, const Past& past) const {
    const bool is_any = std::ranges::any_of(out.edits, [&](const NextEdit& each) {
      return (each.lines.begin < edit_.first) != past.is_going_up;
    });
    for (NextEdit& each : out.edits) each.is_sure &= !is_any;
  }

  size_t offset_of(const char* at) const { return static_cast<size_t>(at - file_.bytes().data()); }

  bool is_edited(const LineRange& lines) const {
    return lines.begin < edit_.first + edit_.after.size() && edit_.first < lines.end;
  }

  NextEdits below_first(NextEdits out) const {
    put_below_first(out, edit_.first);
    return out;
  }

  LineAt line_at() const {
    return [this](size_t line) {
      return line < file_.line_count() ? file_.line(line) : std::string_view();
    };
  }

  // The lines where `name` means the same as in the edit, whose lines have it or had it.
  std::optional<LineRange> scope_of(std::string_view name) const {
    const auto line_at = [&](size_t line) {
      const size_t own = line - edit_.first;
      const bool was_here = line >= edit_.first && own < edit_.before.size() &&
                            own < edit_.after.size() &&
                            !is_in(std::string_view(edit_.after[own]), name);
      return was_here                    ? std::string_view(edit_.before[own])
             : line < file_.line_count() ? file_.line(line)
                                         : std::string_view();
    };
    for (size_t i = 0; i < std::max<size_t>(edit_.after.size(), 1); ++i)
      if (auto scope = local_scope(line_at, edit_.first + i, name, code_.function_at)) return scope;
    return std::nullopt;
  }

  // Whether the new lines name what only the function of the edit declares.
  bool lacks_names(const LineRange& place) const {
    for (const std::string& line : edit_.after)
      for (const LineToken& token : line_tokens(line)) {
        if (token.kind != LineToken::Kind::word || is_in(edit_.before, token.text)) continue;
        const auto scope = scope_of(token.text);
        if (scope && (place.begin < scope->begin || place.begin >= scope->end) &&
            !local_scope(line_at(), place.begin, token.text, code_.function_at))
          return true;
      }
    return false;
  }

  // Whether the place would no longer declare the names around it.
  bool loses_names(const LineRange& place) const {
    const auto function = code_.function_at(place.begin).value_or(LineRange{0, file_.line_count()});
    for (const std::string& line : edit_.before)
      for (const LineToken& token : line_tokens(line)) {
        if (token.kind != LineToken::Kind::word ||
            declares(line, token.text, false) == Declares::nothing ||
            is_in(edit_.after, token.text))
          continue;
        for (size_t at = function.begin; at < std::min(function.end, file_.line_count()); ++at)
          if ((at < place.begin || at >= place.end) && is_in(file_.line(at), token.text))
            return true;
      }
    return false;
  }

  // Whether the new lines have a word from the lines around them, in their function, that the lines
  // around the place do not have: of siblings, each becomes something else. What was edited, too,
  // has it for that reason.
  bool is_of_its_place(const LineRange& place) const {
    const size_t end = edit_.first + edit_.after.size();
    const LineRange own = code_.function_at(edit_.first).value_or(LineRange{0, file_.line_count()});
    const auto differs = [&](std::string_view word, size_t here, size_t there) {
      return own.begin <= here && here < own.end && there < file_.line_count() &&
             is_in(file_.line(here), word) && !is_in(file_.line(there), word) &&
             !was_edited(file_.line(here));
    };
    for (const std::string& line : edit_.after)
      for (const LineToken& token : line_tokens(line)) {
        if (token.kind != LineToken::Kind::word || is_in(edit_.before, token.text)) continue;
        for (size_t far = 1; far <= kAround; ++far)
          if ((far <= edit_.first && far <= place.begin &&
               differs(token.text, edit_.first - far, place.begin - far)) ||
              differs(token.text, end + far - 1, place.end + far - 1))
            return true;
      }
    return false;
  }

  bool was_edited(std::string_view line) const {
    return std::ranges::any_of(earlier_, [&](const EditedLines& other) {
      return std::ranges::find(other.after, line) != other.after.end();
    });
  }

  // Nullopt if the edit is something else, too.
  std::optional<Renamed> renamed() const {
    if (edit_.before.empty() || edit_.before.size() != edit_.after.size()) return std::nullopt;
    std::optional<Renamed> found;
    for (size_t i = 0; i < edit_.before.size(); ++i) {
      const std::vector<LineToken> ours = line_tokens(edit_.before[i]),
                                   theirs = line_tokens(edit_.after[i]);
      if (ours.size() != theirs.size()) return std::nullopt;
      for (size_t k = 0; k < ours.size(); ++k) {
        const LineToken &own = ours[k], &their = theirs[k];
        if (own == their) continue;
        if (own.kind != LineToken::Kind::word || their.kind != LineToken::Kind::word ||
            own.text.size() < 3 || is_comment(edit_.before[i]) ||
            (found && (found->from != own.text || found->to != their.text)))
          return std::nullopt;
        const std::string_view owner =
            is_import_line(edit_.before[i]) ? std::string_view() : owner_of(ours, k);
        if (!found)
          found.emplace(Renaming{std::string(own.text), std::string(their.text),
                                 offset_of(file_.line(edit_.first + i).data()) +
                                     (their.text.data() - edit_.after[i].data())},
                        std::string(owner));
        else if (found->owner != owner)
          found->owner.reset();
      }
    }
    return found;
  }

  bool stands_elsewhere(std::string_view word) const {
    const std::string_view bytes = file_.bytes();
    for (size_t at = find_bytes(bytes, word); at != bytes.npos;
         at = find_bytes(bytes, word, at + 1)) {
      const size_t line = file_.line_at(at), end = at + word.size();
      if ((at == 0 || !is_word_char(bytes[at - 1])) &&
          (end == bytes.size() || !is_word_char(bytes[end])) && !is_edited({line, line + 1}) &&
          !was_edited(file_.line(line)))
        return true;
    }
    return false;
  }

  // The line with each such name replaced; what is in a string stays. `is_exact`: only of the same
  // owner. And whether all are certain: a member of a member may be of another type, and
  // `Some(name)` may bind another name.
  std::pair<std::string, bool> with_name(size_t number, const Renamed& words, bool is_exact) const {
    const std::string_view line = file_.line(number);
    const std::vector<LineToken> tokens = line_tokens(line);
    std::string out;
    bool is_certain = true;
    const char* rest = line.data();
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view text = tokens[i].text, owner = owner_of(tokens, i);
      if (tokens[i].kind != LineToken::Kind::word || text != words.from ||
          (is_exact && words.owner && owner != *words.owner) ||
          !code_.is_name(offset_of(text.data()), text.size()))
        continue;
      is_certain &= is_exact ? !is_bound_anew(tokens, i) : !is_of_member(tokens, i);
      out.append(rest, text.data()).append(words.to);
      rest = text.data() + text.size();
    }
    return {out.append(rest, line.data() + line.size()), is_certain};
  }

  const MappedText file_;
  const EditedLines& edit_;
  const std::vector<EditedLines>& earlier_;
  const CodeAt& code_;
};

}  // namespace

NextEdits next_edits(const Text& file, const EditedLines& edit,
                     const std::vector<EditedLines>& earlier, const CodeAt& code) {
  if (edit.before.empty()) return {};
  const auto contradicts = [&](const EditedLines& other) {
    const auto made = made_of(edit.before, other);
    return made && *made != edit.after;
  };
  if (std::ranges::any_of(earlier, contradicts)) return {};
  Search search(file, edit, earlier, code);
  NextEdits same = search.same_lines();
  if (is_any_sure(same)) return same;
  NextEdits name = search.new_name();
  return name.edits.empty() ? same : name;
}

}  // namespace bodkin
