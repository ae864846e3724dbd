#include "lsp/documents.h"

#include <algorithm>
#include <filesystem>

#include "lsp/uri.h"

namespace bodkin::lsp {

namespace {

// One spelling for a file's URI, so that file:///a%3Ab and file:///a:b are the same document.
std::string key_of(const std::string& uri) {
  const auto path = path_of_uri(uri);
  return path ? uri_of_path(*path) : uri;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Takes off what is equal at both ends, but never half a character.
Replacement trimmed(Replacement change, const std::string& old) {
  const std::string& now = change.text;
  size_t front = 0;
  const size_t most = std::min(old.size(), now.size());
  while (front < most && old[front] == now[front]) ++front;
  const auto splits = [](const std::string& text, size_t at) {
    return at < text.size() && is_continuation(text[at]);
  };
  while (front > 0 && (splits(old, front) || splits(now, front))) --front;
  size_t back = 0;
  while (back < most - front && old[old.size() - 1 - back] == now[now.size() - 1 - back]) ++back;
  while (back > 0 && (splits(old, old.size() - back) || splits(now, now.size() - back))) --back;
  return {change.offset + front, old.size() - front - back,
          now.substr(front, now.size() - front - back)};
}

}  // namespace

Replacement difference(const Text& before, const Text& after) {
  return trimmed({0, before.size(), after.str()}, before.str());
}

void Documents::add_folder(const WorkspaceFolder& folder) {
  WorkspaceFolder added = folder;
  const auto path = path_of_uri(folder.uri);
  if (path && added.name.find('/') != std::string::npos) added.name.clear();
  if (path && added.name.empty()) added.name = std::filesystem::path(*path).filename().string();
  folders_.push_back(std::move(added));
  for (auto& [key, document] : open_) document.path = path_of(document.uri);
}

void Documents::remove_folder(const std::string& uri) {
  std::erase_if(folders_, [&](const auto& folder) { return key_of(folder.uri) == key_of(uri); });
  for (auto& [key, document] : open_) document.path = path_of(document.uri);
}

std::vector<std::string> Documents::roots() const {
  std::vector<std::string> result;
  for (const Root& root : roots_of(*this)) result.push_back(root.folder);
  return result;
}

void Documents::open(const TextDocumentItem& item) {
  open_[key_of(item.uri)] = {item.uri,     path_of(item.uri), item.language_id,
                             item.version, Text(item.text),   false};
}

void Documents::close(const std::string& uri) { open_.erase(key_of(uri)); }

Result<std::vector<Replacement>> Documents::change(const DidChangeParams& params) {
  const auto found = open_.find(key_of(params.uri));
  if (found == open_.end()) {
    return fail(Error::Code::not_found, "A document that is not open was changed: " + params.uri);
  }
  Document& document = found->second;
  std::vector<Replacement> result;
  for (const ContentChange& change : params.changes) {
    Replacement raw{0, document.text.size(), change.text};
    if (change.range) {
      const auto& [start, end] = *change.range;
      if (end < start || start.line >= document.text.line_count() + 1) {
        document.lost = true;
        return fail(Error::Code::invalid_input,
                    "A change of " + document.path + " has a range that cannot be.");
      }
      raw.offset = to_offset(document.text, start, encoding_);
      raw.length = to_offset(document.text, end, encoding_) - raw.offset;
    } else {
      document.lost = false;
    }
    Replacement small = trimmed(std::move(raw), document.text.substr(raw.offset, raw.length));
    document.text = document.text.replace(small.offset, small.length, small.text);
    result.push_back(std::move(small));
  }
  document.version = params.version.value_or(document.version + 1);
  return result;
}

const Document* Documents::find(const std::string& uri) const {
  const auto found = open_.find(key_of(uri));
  return found == open_.end() ? nullptr : &found->second;
}

const Document* Documents::find_path(std::string_view path) const {
  for (const auto& [key, document] : open_) {
    if (document.path == path) return &document;
  }
  return nullptr;
}

std::string Documents::path_of(const std::string& uri) const {
  const auto path = path_of_uri(uri);
  if (!path) {
    const size_t colon = uri.find(':');
    return colon == std::string::npos ? uri : uri.substr(colon + 1);
  }
  const auto roots = roots_of(*this);
  const Root* best = nullptr;
  for (const Root& root : roots) {
    const bool inside = path->starts_with(root.folder == "/" ? "/" : root.folder + "/");
    if (inside && (!best || root.folder.size() > best->folder.size())) best = &root;
  }
  if (!best) return *path;
  const std::string inside = path->substr(best->folder == "/" ? 1 : best->folder.size() + 1);
  return roots.size() == 1 ? inside : best->name + "/" + inside;
}

std::string Documents::uri_of(std::string_view path) const {
  if (const Document* document = find_path(path)) return document->uri;
  const auto place = place_on_disk(roots_of(*this), path);
  return uri_of_path(place ? *place : std::string(path));
}

std::vector<Root> roots_of(const Documents& documents) {
  std::vector<Root> result;
  for (const WorkspaceFolder& folder : documents.folders()) {
    if (auto path = path_of_uri(folder.uri)) result.push_back({folder.name, std::move(*path)});
  }
  return result;
}

std::optional<std::string> place_on_disk(const std::vector<Root>& roots, std::string_view path) {
  namespace fs = std::filesystem;
  if (path.empty() || path.find('\0') != std::string_view::npos) return std::nullopt;
  const auto inside = [](const std::string& folder, std::string_view rest) {
    const fs::path place = (fs::path(folder) / fs::path(rest)).lexically_normal();
    const std::string text = place.string();
    const bool stays = text.starts_with(folder == "/" ? "/" : folder + "/");
    return stays ? std::optional(text) : std::nullopt;
  };
  if (path.front() == '/') {
    for (const Root& root : roots) {
      if (path.starts_with(root.folder + "/")) {
        return inside(root.folder, path.substr(root.folder.size() + 1));
      }
    }
    return std::nullopt;
  }
  if (roots.size() == 1) return inside(roots[0].folder, path);
  for (const Root& root : roots) {
    if (path.starts_with(root.name + "/")) {
      return inside(root.folder, path.substr(root.name.size() + 1));
    }
  }
  return std::nullopt;
}

}  // namespace bodkin::lsp
