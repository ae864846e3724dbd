#include "agent/suggest/suggest_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "edits/place/write.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Decides: in which format a model is asked for the next edit.
// The first that its name fits.
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

std::vector<Replacement> changes_of(const SuggestContext& context, RegionReply reply) {
  const Text& text = context.text;
  std::vector<Replacement> changes = region_change(text, reply);
  if (context.history.empty() || context.history.back().path != context.path) return changes;
  const EditedLines& edit = context.history.back().edit;
  const size_t last = edit.first + edit.after.size();
  if (edit.first < reply.region.begin || last > reply.region.end || last > text.line_count())
    return changes;
  const std::string before = text_with_ends(edit.before), after = text_with_ends(edit.after);
  const size_t begin = text.line_begin(edit.first), end = text.line_begin(last);
  if (text.substr(begin, end - begin) != after) return changes;
  const Text stale = text.replace(begin, end - begin, before);
  if (with_edits(text, changes) == stale) return {};
  reply.region.end += edit.before.size() - edit.after.size();
  std::vector<Replacement> others = region_change(stale, reply);
  const auto cost = [](const std::vector<Replacement>& all) {
    size_t bytes = 0;
    for (const Replacement& each : all) bytes += each.length + each.text.size();
    return bytes;
  };
  if (others.empty() || (!changes.empty() && cost(changes) <= cost(others))) return changes;
  for (Replacement& each : others) {
    if (each.offset + each.length <= begin) continue;
    if (each.offset < begin + before.size()) return {};
    each.offset += after.size() - before.size();
  }
  return others;
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

std::string text_with_ends(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
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
