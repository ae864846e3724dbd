// Parts are chosen by use, most useful first, until the budget is spent; then put in the order of
// the file, so that the same place gives the same bytes (providers cache by prefix).
#include "grammars/context.h"

#include <algorithm>
#include <unordered_set>

#include "grammars/file_symbols.h"

namespace bodkin {
namespace {

constexpr size_t kMaxImports = 500;  // that are looked at
constexpr size_t kMaxNamed = 500;
constexpr size_t kLongestShown = 40;  // lines of a type or a variable that is used: shown whole
constexpr size_t kLinesAround = 40;   // of a place that is in no function

class Chosen {
 public:
  Chosen(const Text& text, size_t budget) : text_(text), left_(budget) {}

  size_t cost(LineRange lines) const {
    if (lines.begin >= lines.end) return 0;
    size_t end = lines.end < text_.line_count() ? text_.line_begin(lines.end) : text_.size();
    return end - text_.line_begin(lines.begin);
  }

  // Takes the lines not taken yet; all or none.
  bool take(LineRange lines, ContextPart::Why why) {
    if (lines.begin >= lines.end) return true;
    std::vector<LineRange> fresh = {lines};
    for (const ContextPart& part : parts_) {
      std::vector<LineRange> rest;
      for (LineRange f : fresh) {
        LineRange above{f.begin, std::min(f.end, part.lines.begin)};
        LineRange below{std::max(f.begin, part.lines.end), f.end};
        if (above.begin < above.end) rest.push_back(above);
        if (below.begin < below.end) rest.push_back(below);
      }
      fresh = std::move(rest);
    }
    size_t price = 0;
    for (LineRange f : fresh) price += cost(f);
    if (price > left_) return false;
    left_ -= price;
    for (LineRange f : fresh) parts_.push_back({why, f});
    return true;
  }

  // Grows from `middle` to both sides within `bounds`, as far as `most` bytes allow. At least the
  // middle is taken, as far as the budget reaches.
  void take_around(LineRange middle, LineRange bounds, size_t most, ContextPart::Why why) {
    most = std::min(most, left_);
    LineRange range{middle.begin, middle.begin};
    size_t spent = 0;
    auto grow = [&](size_t line, LineRange grown) {
      size_t price = cost({line, line + 1});
      if (spent + price > most) return false;
      spent += price;
      range = grown;
      return true;
    };
    while (range.end < middle.end && grow(range.end, {range.begin, range.end + 1})) continue;
    bool up = true, down = range.end >= middle.end;
    while (up || down) {
      up = up && range.begin > bounds.begin && grow(range.begin - 1, {range.begin - 1, range.end});
      down = down && range.end < bounds.end && grow(range.end, {range.begin, range.end + 1});
    }
    take(range, why);
  }

  size_t left() const { return left_; }

  std::vector<ContextPart> in_order() && {
    std::ranges::sort(parts_, {}, [](const ContextPart& p) { return p.lines.begin; });
    return std::move(parts_);
  }

 private:
  const Text& text_;
  size_t left_;
  std::vector<ContextPart> parts_;
};

LineRange clamped(const Text& text, LineRange lines) {
  lines.begin = std::min(lines.begin, text.line_count() - 1);
  lines.end = std::clamp(lines.end, lines.begin + 1, text.line_count());
  return lines;
}

bool holds(const Symbol& symbol, LineRange lines) {
  return symbol.lines.begin <= lines.begin && lines.end <= symbol.lines.end;
}

// The lines of a declaration up to where its body begins: "class A(B):", "int f(int a,\n int b) {".
LineRange head_lines(const Text& text, const Symbol& symbol) {
  size_t last = symbol.body_begin > symbol.begin ? symbol.body_begin - 1 : symbol.begin;
  while (last > symbol.begin) {  // Python's body begins on the next line
    std::string byte = text.substr(last, 1);
    if (byte != " " && byte != "\t" && byte != "\n" && byte != "\r") break;
    --last;
  }
  LineRange head{symbol.lines.begin, std::min(text.line_of(last) + 1, symbol.lines.end)};
  // If no bracket opens the body, the comments before its first statement belong to it.
  const size_t name_line = text.line_of(symbol.name_begin);
  while (head.end > name_line + 1) {
    const std::string line = text.line(head.end - 1);
    const size_t first = std::min(line.find_first_not_of(" \t\r"), line.size());
    if (first < line.size() && line[first] != '#' && line.compare(first, 2, "--") != 0) break;
    --head.end;
  }
  return head;
}

LineRange lines_around(const Text& text, LineRange lines) {
  return {lines.begin > kLinesAround ? lines.begin - kLinesAround : 0,
          std::min(lines.end + kLinesAround, text.line_count())};
}

// Nothing is known here of imports in other functions.
bool is_visible(const Outline& outline, LineRange import, LineRange lines) {
  const Symbol* symbol = enclosing(outline, import);
  return !symbol || holds(*symbol, lines);
}

// The declarations visible from the place: those whose names are used there, in full if short, only
// the heads of functions; then the siblings' heads, nearest first.
void take_declarations(const SyntaxTree& tree, const Outline& outline, const Symbol* symbol,
                       LineRange lines, Chosen& chosen) {
  const Text& text = tree.text();
  std::unordered_set<std::string> used;
  for (std::string& name : names_used(tree, symbol ? symbol->lines : lines))
    used.insert(std::move(name));
  std::vector<const Symbol*> named, siblings;
  for (const Symbol& s : outline.symbols) {
    if (holds(s, lines) || (symbol && symbol->begin <= s.begin && s.end <= symbol->end)) continue;
    if (s.parent && !holds(outline.symbols[*s.parent], lines)) continue;
    if (used.contains(std::string(simple_name(s.name))))
      named.push_back(&s);
    else if (!symbol || s.parent == symbol->parent)
      siblings.push_back(&s);
  }
  const size_t place = symbol ? symbol->begin : text.line_begin(lines.begin);
  const auto distance = [&](const Symbol* s) {
    return s->begin < place ? place - s->begin : s->begin - place;
  };
  std::ranges::stable_sort(named, {}, distance);
  std::ranges::stable_sort(siblings, {}, distance);
  if (named.size() > kMaxNamed) named.resize(kMaxNamed);
  for (const Symbol* s : named) {
    const bool is_short = s->lines.end - s->lines.begin <= kLongestShown &&
                          chosen.cost(s->lines) <= chosen.left() / 4;
    if (is_function(s->kind) || !is_short || !chosen.take(s->lines, ContextPart::Why::definition))
      chosen.take(head_lines(text, *s), ContextPart::Why::signature);
  }
  for (const Symbol* s : siblings)
    if (!chosen.take(head_lines(text, *s), ContextPart::Why::signature)) break;
}

}  // namespace

Context context_of(const SyntaxTree& tree, const Outline& outline, LineRange lines, size_t budget) {
  using Why = ContextPart::Why;
  const Text& text = tree.text();
  lines = clamped(text, lines);
  const Symbol* symbol = enclosing(outline, lines);
  const size_t most = budget - budget / 3;  // of a place that is too long
  Context context;
  Chosen chosen(text, budget);
  if (!symbol) {
    chosen.take_around(lines, lines_around(text, lines), most, Why::place);
  } else {
    context.symbol = *symbol;
    for (const Symbol* s = symbol; s->parent;) {
      s = &outline.symbols[*s->parent];
      context.around.insert(context.around.begin(), *s);
    }
    if (chosen.take({symbol->comment_line, symbol->lines.end}, Why::symbol)) {
      // A nested function uses the outer one's variables.
      if (!context.around.empty() && is_function(context.around.back().kind))
        chosen.take_around(symbol->lines, context.around.back().lines, most / 2, Why::place);
    } else {
      LineRange head = head_lines(text, *symbol);
      if (chosen.cost(head) < most / 4) chosen.take(head, Why::symbol);
      size_t spent = budget - chosen.left();
      chosen.take_around(lines, symbol->lines, most - spent, Why::symbol);
    }
  }
  for (const Symbol& s : context.around) chosen.take(head_lines(text, s), Why::signature);
  for (size_t i = 0; i < std::min(outline.imports.size(), kMaxImports); ++i)
    if (is_visible(outline, outline.imports[i], lines) &&
        !chosen.take(outline.imports[i], Why::imports))
      break;
  take_declarations(tree, outline, symbol, lines, chosen);
  context.parts = std::move(chosen).in_order();
  return context;
}

Context context_of(const Text& text, LineRange lines, size_t budget) {
  lines = clamped(text, lines);
  Chosen chosen(text, budget);
  chosen.take_around(lines, lines_around(text, lines), budget, ContextPart::Why::place);
  Context context;
  context.parts = std::move(chosen).in_order();
  return context;
}

std::string render(const Text& text, const Context& context) {
  std::string result;
  size_t next = 0;  // the first line that is not written yet
  auto gap = [&](size_t begin, size_t end) {
    if (begin >= end) return;
    auto blank = [&](size_t line) {
      return text.line(line).find_first_not_of(" \t\r\f") == std::string::npos;
    };
    size_t line = begin;
    while (line < end && blank(line)) ++line;
    if (line == end) {  // nothing is hidden: say what is there
      result += text.substr(text.line_begin(begin), text.line_begin(end) - text.line_begin(begin));
      return;
    }
    if (!result.empty() && result.back() != '\n') result += '\n';
    const std::string marker = end - begin == 1
                                   ? "[line " + std::to_string(begin + 1) + " is not shown]\n"
                                   : "[lines " + std::to_string(begin + 1) + "-" +
                                         std::to_string(end) + " are not shown]\n";
    const size_t first = text.line_begin(begin);
    const size_t past = end < text.line_count() ? text.line_begin(end) : text.size();
    const bool is_short = end - begin == 1 && past - first <= marker.size();
    result += is_short ? text.substr(first, past - first) : marker;
  };
  for (const ContextPart& part : context.parts) {
    gap(next, part.lines.begin);
    size_t begin = text.line_begin(part.lines.begin);
    size_t end = part.lines.end < text.line_count() ? text.line_begin(part.lines.end) : text.size();
    result += text.substr(begin, end - begin);
    next = part.lines.end;
  }
  // The empty line after the last line ending does not count.
  size_t count = text.line_count();
  if (count > 0 && text.line_begin(count - 1) == text.size()) --count;
  gap(next, count);
  return result;
}

}  // namespace bodkin
