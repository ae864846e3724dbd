#include "agent/suggest/suggest_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Decides: in which format a model is asked for the next edit; the first that its name fits.
constexpr std::array kFormats = {&kZetaFormat, &kSweepFormat, &kFimFormat, &kChatFormat};

}  // namespace

Result<const SuggestFormat*> suggest_format(std::string_view name, std::string_view model) {
  if (name.empty() || name == "auto") {
    const std::string lower = lower_case(model);
    for (const SuggestFormat* format : kFormats)
      for (const auto part : std::views::split(format->models, '|'))
        if (lower.contains(std::string_view(part))) return format;
    return &kChatFormat;
  }
  for (const SuggestFormat* format : kFormats)
    if (format->name == name) return format;
  std::string names = "auto";
  for (const SuggestFormat* format : kFormats) names += fmt::format(", {}", format->name);
  return fail(Error::Code::invalid_input,
              fmt::format("bodkin.suggest.model: the format \"{}\" is none of {}.", name, names));
}

LineRange lines_around(const Text& text, size_t cursor, size_t bytes) {
  const size_t own = text.line_of(cursor);
  LineRange lines{own, own + 1};
  const auto size_of = [&](size_t line) { return text.line_end(line) - text.line_begin(line) + 1; };
  size_t left = bytes - std::min(bytes, size_of(own)), above = 0, below = 0;
  for (;;) {
    const bool has_above = lines.begin > 0 && size_of(lines.begin - 1) <= left;
    const bool has_below = lines.end < text.line_count() && size_of(lines.end) <= left;
    if (!has_above && !has_below) return lines;
    if (has_below && (below <= 2 * above || !has_above)) {
      below += size_of(lines.end);
      left -= size_of(lines.end++);
    } else {
      above += size_of(lines.begin - 1);
      left -= size_of(--lines.begin);
    }
  }
}

std::string text_of_lines(const Text& text, const LineRange& lines) {
  std::string out;
  for (size_t line = lines.begin; line < lines.end; ++line) out += text.line(line) + "\n";
  return out;
}

std::string diff_of(const PastEdit& past) {
  const EditedLines& edit = past.edit;
  std::string out = fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1},{2} +{1},{3} @@\n", past.path,
                                edit.first + 1, edit.before.size(), edit.after.size());
  for (const std::string& line : edit.before) out += "-" + line + "\n";
  for (const std::string& line : edit.after) out += "+" + line + "\n";
  return out;
}

bool has_tokens(std::string_view text) { return text.contains("<|") || text.contains("<[fim"); }

}  // namespace bodkin
