#include "agent/loop/fallback_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/context/symbols.h"

namespace bodkin {

namespace {

constexpr size_t kMaxShownWhole = 20'000;  // bytes of a file
constexpr char kBegin[] = "Two edits in a row could not be used. Now do it in another way.\n";

std::string with_numbers(const Text& text) {
  std::string lines;
  for (size_t i = 0; i < line_count_of(text); ++i)
    lines += fmt::format("{}| {}\n", i + 1, text.line(i));
  return lines;
}

// The first file that is there, if the model may read it.
std::optional<ShownFile> file_of(std::span<const Unplaced> unplaced, Gate& gate, Workspace& shown,
                                 const Task& task) {
  for (const Unplaced& one : unplaced) {
    if (one.path.empty()) continue;
    const auto place = shown.roots(task).find(one.path);
    std::string path = place ? place->path : one.path;
    auto file = shown.read(path, task);
    if (!file) continue;
    if (!gate.admit({"read", "", "Reading " + path, ""}, task)) return std::nullopt;
    return ShownFile{std::move(path), std::move(file->text)};
  }
  return std::nullopt;
}

std::string how_to_name_lines(const std::string& path, bool has_tool) {
  if (has_tool)
    return fmt::format(
        "Name the lines by their numbers: call `replace_lines` with the path, the first and the "
        "last line to replace, and the new text of these lines.\nExample: replace_lines "
        "{{\"path\": "
        "\"{}\", \"start_line\": 4, \"end_line\": 5, \"text\": \"…\"}}\n",
        path);
  return fmt::format(
      "Say which place is meant by the number of its first line, in a line of its own below the "
      "marker; SEARCH is then the exact text of these lines.\nExample:\n{}\n<<<<<<< SEARCH\n"
      ":start_line:4\n-------\n(the lines as they are)\n=======\n(the new lines)\n>>>>>>> "
      "REPLACE\n",
      path);
}

}  // namespace

// Decides: what the model is advised after edits that could not be placed.
FallbackAdvice fallback_advice(std::span<const Unplaced> unplaced, const Profile& profile,
                               const EditFormat* taught, CallRunner& calls, Gate& gate,
                               Workspace& shown, const Task& task) {
  FallbackAdvice way;
  way.told = kBegin;
  const bool is_ambiguous = std::ranges::any_of(
      unplaced, [](const Unplaced& one) { return one.kind == FailureKind::ambiguous; });
  if (auto file = file_of(unplaced, gate, shown, task)) {
    const bool is_small = file->text.size() <= kMaxShownWhole;
    if (is_ambiguous || !is_small) {
      way.sentence = "Two edits in a row could not be used; asking the model for line numbers of " +
                     file->path + ".";
      way.told += how_to_name_lines(file->path, !taught && calls.offer("replace_lines"));
      if (is_small)
        way.told += file->path + ", with line numbers:\n" + fenced(with_numbers(file->text));
    } else {
      way.sentence = "Two edits in a row could not be used; showing the model the exact lines of " +
                     file->path + ".";
      way.told += "These are the exact lines of " + file->path +
                  " now. Copy those that you change from here, character by character:\n" +
                  fenced(file->text.str());
    }
    if (is_small) way.shown.push_back(*std::move(file));
    return way;
  }
  if (!taught && !profile.edits_in_text) {
    way.sentence = "Two edits in a row could not be used; asking the model for a smaller one.";
    way.told += "Read the file again, and change only a few lines of it in one call.";
    return way;
  }
  const bool knows_blocks = taught && (taught->name == "diff" || taught->name == "diff-fenced" ||
                                       taught->name == "editor-diff");
  way.taught = find_edit_format(knows_blocks ? "whole" : kDefaultEditFormat);
  way.sentence = knows_blocks
                     ? "Two edits in a row could not be used; asking the model for whole files."
                     : "Two edits in a row could not be used; asking the model for edit blocks.";
  way.told += "Write your edits in the text of your reply, in this form:\n\n";
  way.told += way.taught->guide;
  return way;
}

}  // namespace bodkin
