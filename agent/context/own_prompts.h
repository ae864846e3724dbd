// The user's own prompts: Markdown files in a folder of theirs (clients/USERS.md), each a slash
// command with the file's name. In them "$file" is the file that the request is about, "$selection"
// its selected lines, "$diagnostics" its problems, "$diff" the changes since the last commit, and
// "$staged" those that the next one would have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct OwnPrompt {
  std::string name;     // without the slash and ".md"
  std::string summary;  // its first line, for the user
};
// Sorted by name. Names have only letters, digits, "-" and "_"; unreadable files are not listed.
std::vector<OwnPrompt> own_prompts(const std::string& folder);

// The text of the prompt that a request begins with, as "/NAME words", with the words below it;
// nullopt: it begins with none of this folder. The words of the text above are mentions by then
// (agent/context/mentions.h), except "$file".
std::optional<std::string> own_prompt_in(std::string_view request, const std::string& folder);
// Replaces "$file" by a mention of this path, or, if it is empty, by words.
void name_file(std::string& prompt, const std::string& path);

}  // namespace bodkin
