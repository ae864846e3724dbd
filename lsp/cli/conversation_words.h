// The commands of a conversation: the text of /help about them, and the completions of Tab.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

void show_conversation_help();

// The completions of a word: commands, if it `is_first`; after an @ paths below `root` that git
// does not ignore.
std::vector<std::string> completions_of(const std::string& word, bool is_first,
                                        const std::string& root);

// A word such as "/udno"; not the beginning of a path, which may be asked about.
bool is_unknown_command(const std::string& word);

// Prints how a command of the user's has ended, if `end` is not empty, and returns its output as it
// goes with the next request, which is printed, too. Empty if there is none.
std::string shown_with_next_request(const std::string& command, const std::string& output,
                                    const std::string& end);

}  // namespace bodkin
