#include "lsp/editor_workspace.h"

#include "lsp/disk.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxListed = 100000;

}  // namespace

Result<Snapshot> EditorWorkspace::read(std::string_view path, const Task& task) {
  struct Found {
    std::optional<Document> document;
    std::vector<Root> roots;
  };
  auto found = loop_.call(task.stop, [this, path = std::string(path)] {
    Found result{std::nullopt, roots_of(documents_)};
    if (const Document* document = documents_.find_path(path)) result.document = *document;
    return result;
  });
  if (!found) return std::unexpected(found.error());
  if (found->document) {
    const Document& document = *found->document;
    if (document.lost) {
      return fail(Error::Code::stale,
                  document.path + " is not as the editor has it; close and open it again.");
    }
    return Snapshot{document.path, document.version, document.text};
  }
  const auto place = place_on_disk(found->roots, path);
  if (!place) {
    return fail(Error::Code::invalid_input, std::string(path) + " is not in the workspace.");
  }
  std::string folder;
  for (const Root& root : found->roots) {
    if (place->starts_with(root.folder)) folder = root.folder;
  }
  auto text = read_from_disk(*place, folder);
  if (!text) return std::unexpected(text.error());
  return Snapshot{std::string(path), std::nullopt, std::move(*text)};
}

Result<std::vector<std::string>> EditorWorkspace::list(std::string_view folder, size_t limit,
                                                       const Task& task) {
  auto roots = loop_.call(task.stop, [this] { return roots_of(documents_); });
  if (!roots) return std::unexpected(roots.error());
  std::string below(folder);
  while (below.ends_with('/')) below.pop_back();
  if (below == ".") below.clear();
  std::vector<std::string> result;
  for (const Root& root : *roots) {
    for (std::string& name : list_files(root.folder, kMaxListed, task.stop)) {
      std::string path = roots->size() == 1 ? std::move(name) : root.name + "/" + name;
      if (below.empty() || path.starts_with(below + "/")) result.push_back(std::move(path));
      if (result.size() >= limit) return result;
    }
  }
  return result;
}

std::vector<std::string> EditorWorkspace::roots(const Task& task) {
  auto roots = loop_.call(task.stop, [this] { return documents_.roots(); });
  return roots ? *roots : std::vector<std::string>();
}

std::vector<std::string> EditorWorkspace::open_paths(const Task& task) {
  auto paths = loop_.call(task.stop, [this] {
    std::vector<std::string> result;
    for (const auto& [key, document] : documents_.all()) result.push_back(document.path);
    return result;
  });
  return paths ? *paths : std::vector<std::string>();
}

}  // namespace bodkin::lsp
