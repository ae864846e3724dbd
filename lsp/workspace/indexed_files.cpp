#include "lsp/workspace/indexed_files.h"

#include <algorithm>

#include "agent/support/path_text.h"
#include "agent/support/user_folders.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/paths.h"
#include "grammars/file_symbols.h"
#include "grammars/languages.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxFiles = 50'000;
constexpr size_t kMaxListed = 500'000;
constexpr size_t kLargeGenerated = 256'000;

}  // namespace

std::vector<IndexedFile> files_to_index(const Roots& roots, bool trusted,
                                        const std::stop_token& stop) {
  std::vector<IndexedFile> files;
  for (const Root& root : roots) {
    if (!is_indexed_folder(root.folder)) continue;
    const std::string prefix = roots.prefix_of(root);
    const std::vector<std::string> inner = roots.inner_of(root);
    const IgnoreLists ignored(root.folder);
    for (const std::string& name : list_files(root.folder, kMaxListed, trusted, stop)) {
      if (files.size() >= kMaxFiles) break;
      if (!may_declare_names(name) || is_secret(name) || ignored.ignores(name)) continue;
      if (std::ranges::any_of(inner, [&](const auto& each) { return name.starts_with(each); }))
        continue;
      files.push_back({prefix + name, join_path(root.folder, name), root.folder});
    }
  }
  return files;
}

bool is_indexed_folder(const std::string& folder) {
  return folder != "/" && !folder.empty() && folder != home_folder();
}

bool may_declare_names(std::string_view path) {
  if (const Language* language = language_of(path)) return declares_names(*language);
  return last_part(path).find('.') == path.npos;
}

bool is_about_files(std::string_view path) {
  const std::string_view name = last_part(path);
  return name == ".gitignore" || name == ".bodkinignore" || name == ".ignore";
}

bool is_large_and_generated(const Text& text) {
  if (text.size() <= kLargeGenerated) return false;
  const std::string head = text.substr(0, 2000);
  return head.contains("DO NOT EDIT") || head.contains("@generated") ||
         head.contains("enerated by") || head.contains("enerated from");
}

}  // namespace bodkin::lsp
