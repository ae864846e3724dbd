// Members that a draft names first, of values without a known type: a server finds no error there,
// whether they exist or not.

#include <algorithm>

#include "agent/checkers/imports.h"
#include "agent/checkers/server_checker.h"
#include "edits/text/line_keys.h"
#include "grammars/members.h"

namespace bodkin {

namespace {

std::set<std::string, std::less<>> words_in(const Text& text) {
  std::set<std::string, std::less<>> words;
  each_word(text.str(), [&](std::string_view word) { words.emplace(word); });
  return words;
}

// "a.b = 1" makes it.
bool is_set(const Text& text, const Member& member) {
  const std::string rest = text.substr(member.offset + member.name.size(), 80);
  const std::string_view after = trimmed(rest);
  return after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
}

}  // namespace

// Decides: whether an unknown member is right.
void ServerChecker::doubt_unknown_members() {
  const Imports imports = server_.command.imports;
  if (imports != Imports::script && imports != Imports::python) return;
  for (const ChangedFile& file : server_.files) {
    if (!file.after) continue;
    const auto known = words_in(file.before.value_or(Text()));
    for (const Member& member : members_in(file.last_path(), *file.after)) {
      if (known.contains(member.name) || is_set(*file.after, member)) continue;
      if (server_.knows(file, member.offset).value_or(false)) continue;
      const bool is_used =
          std::ranges::any_of(project_.files.all_of(imports), [&](const std::string& path) {
            const auto text = draft_.text_then(path);
            return text && path != file.path && words_in(*text).contains(member.name);
          });
      if (!is_used)
        return found_.doubt<doubts::unknown_member>(server_.command.name, member.name,
                                                    file.after->line_of(member.offset) + 1,
                                                    file.last_path());
    }
  }
}

}  // namespace bodkin
