#include "agent/context/own_prompts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPromptBytes = 64 << 10;
constexpr size_t kMaxOwnPrompts = 100;

bool is_prompt_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_name_char);
}

std::optional<std::string> text_of_prompt(const std::string& folder, std::string_view name) {
  if (folder.empty() || !is_prompt_name(name)) return std::nullopt;
  auto text = read_file(folder + "/" + std::string(name) + ".md", kMaxPromptBytes);
  if (!text) return std::nullopt;
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return *std::move(text);
}

// Replaces whole names only: no part of "$files".
void replace_words(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos;) {
    const std::string next = text.substr(at + from.size(), 1);
    const bool is_whole = !is_prompt_name(next);
    if (is_whole) text.replace(at, from.size(), to);
    at += is_whole ? to.size() : from.size();
  }
}

}  // namespace

std::vector<OwnPrompt> own_prompts(const std::string& folder) {
  std::vector<OwnPrompt> result;
  std::error_code error;
  if (folder.empty()) return result;
  for (std::filesystem::directory_iterator file(folder, error), end;
       !error && file != end && result.size() < kMaxOwnPrompts; file.increment(error)) {
    if (file->path().extension() != ".md") continue;
    std::string name = file->path().stem().generic_string();
    const auto text = text_of_prompt(folder, name);
    if (!text) continue;
    result.push_back({std::move(name), plain_line(text->substr(0, text->find('\n')))});
  }
  std::ranges::sort(result, {}, &OwnPrompt::name);
  return result;
}

std::optional<std::string> own_prompt_in(std::string_view request, const std::string& folder) {
  const size_t begin = request.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || request[begin] != '/') return std::nullopt;
  request.remove_prefix(begin + 1);
  const std::string_view name = request.substr(0, request.find_first_of(" \t\r\n"));
  auto text = text_of_prompt(folder, name);
  if (!text) return std::nullopt;
  for (const std::string_view word : {"selection", "diagnostics", "diff", "staged"})
    replace_words(*text, "$" + std::string(word), "@" + std::string(word));
  request.remove_prefix(name.size());
  if (const size_t words = request.find_first_not_of(" \t\r\n"); words != request.npos)
    *text += "\n\n" + std::string(request.substr(words));
  return text;
}

void name_file(std::string& prompt, const std::string& path) {
  replace_words(prompt, "$file", path.empty() ? "the file" : "@\"" + path + "\"");
}

}  // namespace bodkin
