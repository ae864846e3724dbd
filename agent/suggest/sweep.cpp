// Sweep's next-edit models: recent changes as pairs, then the lines around the cursor as they were
// before the last of them and as they are; the model writes what they become.
#include "agent/suggest/suggest_format.h"
#include "edits/place/write.h"

namespace bodkin {

namespace {

constexpr char kSeparator[] = "<|file_sep|>";
constexpr size_t kSweepRegionBytes = 1'600;
constexpr size_t kSweepMostEdits = 5;

// The region before the last edit, if that was in it.
std::string before_last_edit(const SuggestContext& context, const LineRange& region) {
  if (context.history.empty() || context.history.back().path != context.path)
    return text_of_lines(context.text, region);
  const EditedLines& edit = context.history.back().edit;
  const size_t end = edit.first + edit.after.size();
  if (edit.first < region.begin || end > region.end) return text_of_lines(context.text, region);
  return text_of_lines(context.text, {region.begin, edit.first}) + text_with_ends(edit.before) +
         text_of_lines(context.text, {end, region.end});
}

SuggestPrompt sweep_prompt(const SuggestContext& context, std::string_view) {
  SuggestPrompt out{.stop = {kSeparator, "<|endoftext|>", "</s>"}, .max_tokens = 768};
  out.region = lines_around(context.text, context.cursor, kSweepRegionBytes);
  const auto section = [&](const std::string& name, const std::string& text) {
    out.text += kSeparator + name + "\n" + text;
  };
  const size_t first = context.history.size() - std::min(context.history.size(), kSweepMostEdits);
  for (size_t i = first; i < context.history.size(); ++i) {
    const PastEdit& past = context.history[i];
    section(past.path + ".diff", "original:\n" + text_with_ends(past.edit.before) + "updated:\n" +
                                     text_with_ends(past.edit.after));
  }
  section("original/" + context.path, before_last_edit(context, out.region));
  section("current/" + context.path, text_of_lines(context.text, out.region));
  section("updated/" + context.path, "");
  return out;
}

std::vector<Replacement> read_sweep(const SuggestContext& context, const SuggestPrompt& prompt,
                                    std::string_view reply, bool is_cut) {
  for (const std::string& stop : prompt.stop) reply = reply.substr(0, reply.find(stop));
  if (has_tokens(reply)) return {};
  return changes_of(context, {prompt.region, lines_of(reply), is_cut});
}

}  // namespace

const SuggestFormat kSweepFormat = {"sweep", false, "sweep|next-edit", sweep_prompt, read_sweep};

}  // namespace bodkin
