#include "lsp/editor_workspace.h"

#include "lsp/disk.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxOfListing = 100000;

}  // namespace

EditorWorkspace::EditorWorkspace(const Documents& documents,
                                 std::shared_ptr<const SymbolIndex> symbols)
    : roots_(roots_of(documents)), symbols_(std::move(symbols)) {
  for (const auto& [key, document] : documents.all()) buffers_.emplace(document.path, document);
}

Result<Snapshot> EditorWorkspace::read(std::string_view path, const Task&) {
  if (const auto found = buffers_.find(path); found != buffers_.end()) {
    const Document& document = found->second;
    if (document.lost) {
      return fail(Error::Code::stale,
                  document.path + " is not as the editor has it; close and open it again.");
    }
    return Snapshot{document.path, document.version, document.text};
  }
  const auto place = place_on_disk(roots_, path);
  if (!place) {
    return fail(Error::Code::invalid_input, std::string(path) + " is not in the workspace.");
  }
  std::string folder;
  for (const Root& root : roots_) {
    if (place->starts_with(root.folder == "/" ? "/" : root.folder + "/")) folder = root.folder;
  }
  auto text = read_from_disk(*place, folder);
  if (!text) return std::unexpected(text.error());
  return Snapshot{std::string(path), std::nullopt, std::move(*text)};
}

Result<std::vector<std::string>> EditorWorkspace::list(std::string_view folder, size_t limit,
                                                       const Task& task) {
  std::string below(folder);
  while (below.ends_with('/')) below.pop_back();
  if (below == ".") below.clear();
  std::vector<std::string> result;
  for (const Root& root : roots_) {
    for (std::string& name : list_files(root.folder, kMaxOfListing, task.stop)) {
      std::string path = roots_.size() == 1 ? std::move(name) : root.name + "/" + name;
      if (below.empty() || path.starts_with(below + "/")) result.push_back(std::move(path));
      if (result.size() >= limit) return result;
    }
  }
  return result;
}

std::vector<std::string> EditorWorkspace::roots(const Task&) {
  std::vector<std::string> result;
  for (const Root& root : roots_) result.push_back(root.folder);
  return result;
}

std::vector<std::string> EditorWorkspace::open_paths(const Task&) {
  std::vector<std::string> result;
  for (const auto& [path, document] : buffers_) result.push_back(path);
  return result;
}

}  // namespace bodkin::lsp
