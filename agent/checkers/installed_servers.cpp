#include "agent/checkers/installed_servers.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/program.h"
#include "agent/support/real_path.h"
#include "agent/support/user_folders.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Compares digits as numbers: "1.10" is newer than "1.9".
bool is_newer_version(std::string_view one, std::string_view other) {
  for (size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    if (!is_digit(one[i]) || !is_digit(other[j])) {
      if (one[i] != other[j]) return one[i] > other[j];
      ++i, ++j;
      continue;
    }
    const auto number_at = [&](std::string_view text, size_t& at) {
      const size_t begin = std::min(text.find_first_not_of('0', at), text.size());
      at = begin;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view a = number_at(one, i), b = number_at(other, j);
    if (a.size() != b.size()) return a.size() > b.size();
    if (a != b) return a > b;
  }
  return one.size() > other.size();
}

// The TypeScript that VS Code and its relatives come with.
std::string tsserver_of_editor(const std::string& root) {
  constexpr std::string_view kInside = "extensions/node_modules/typescript/lib/tsserver.js";
  for (const char* program : {"code", "codium", "code-oss", "cursor", "windsurf"}) {
    const auto found = find_program(program, {root});
    if (!found) continue;
    const auto folder = std::filesystem::path(real_or_same(*found)).parent_path().parent_path();
    const std::string library = newest_match(folder / "resources/app", kInside);
    if (!library.empty() && !lies_in(real_or_same(library), root)) return library;
  }
  const std::string home = home_folder();
  for (const char* folder : {"/.vscode-server/bin", "/.vscode-server/cli/servers"})
    for (const char* between : {"*/", "*/server/"})
      if (const std::string library =
              home.empty() ? "" : newest_match(home + folder, between + std::string(kInside));
          !library.empty() && !lies_in(real_or_same(library), root))
        return library;
  return "";
}

}  // namespace

Result<std::string> find_server(const std::string& name, const std::string& root, bool may_run) {
  auto found = find_program(name, {root});
  const std::string home = home_folder();
  if (found || name.contains('/')) return found;
  for (const char* folder : {"/.local/bin/", "/.local/share/nvim/mason/bin/",
                             "/AppData/Local/nvim-data/mason/bin/", "/go/bin/", "/.cargo/bin/"})
    if (auto there = home.empty() ? found : find_program(home + folder + name, {root}))
      return there;
  for (const char* folder : {"/node_modules/.bin/", "/.venv/bin/", "/venv/bin/"})
    if (const std::string own = root + folder + name; may_run && os::access(own.c_str(), X_OK) == 0)
      return own;
  return found;
}

std::vector<std::string> server_of_extension(const ServerKind& kind, const std::string& root) {
  const std::string home = home_folder();
  if (home.empty()) return {};
  for (const char* editor : {"vscode", "vscode-server", "vscode-oss", "cursor", "windsurf"}) {
    for (const std::string& usual : words_of_list(kind.extensions, '|')) {
      auto words = words_of_list(usual);
      words[0] = newest_match(fmt::format("{}/.{}/extensions", home, editor), words[0]);
      if (words[0].empty() || lies_in(real_or_same(words[0]), root)) continue;
      if (!words[0].ends_with(".js")) return words;
      const auto node = find_program("node", {root});
      if (!node) continue;
      words.insert(words.begin(), *node);
      return words;
    }
  }
  return {};
}

std::string find_tsserver(const std::string& server, const std::string& root, bool may_run) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string own = root + "/node_modules/typescript/lib/tsserver.js";
  if (may_run && fs::is_regular_file(own, error)) return own;
  const auto is_usable = [&](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && !lies_in(path.generic_string(), root);
  };
  for (fs::path folder = fs::path(real_or_same(server)).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* inside :
         {"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js",
          "lib/node_modules/typescript/lib/tsserver.js"})
      if (is_usable(folder / inside)) return (folder / inside).generic_string();
  }
  for (const char* program : {"tsserver", "tsc"}) {
    const auto found = find_program(program, {root});
    if (!found) continue;
    const fs::path library =
        fs::path(real_or_same(*found)).parent_path().parent_path() / "lib/tsserver.js";
    if (is_usable(library)) return library.generic_string();
  }
  return tsserver_of_editor(root);
}

std::string newest_match(const std::filesystem::path& folder, std::string_view rest) {
  namespace fs = std::filesystem;
  std::error_code error;
  const size_t end = std::min(rest.find('/'), rest.size());
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  const size_t star = name.find('*');
  std::vector<fs::path> found;
  if (star == name.npos) {
    if (fs::exists(folder / name, error)) found.push_back(folder / name);
  } else {
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (const std::string each = entry.path().filename().generic_string();
          each.starts_with(name.substr(0, star)) && each.ends_with(name.substr(star + 1)))
        found.push_back(entry.path());
  }
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return is_newer_version(a.generic_string(), b.generic_string());
  });
  for (const fs::path& path : found) {
    const std::string inside = rest.empty() ? path.generic_string() : newest_match(path, rest);
    if (!inside.empty()) return inside;
  }
  return "";
}

}  // namespace bodkin
