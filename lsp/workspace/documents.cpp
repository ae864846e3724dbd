#include "lsp/workspace/documents.h"

#include <algorithm>
#include <filesystem>

#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/real_path.h"
#include "agent/workspace/outside.h"

namespace bodkin::lsp {

namespace {

std::string normal_path(const std::string& path) {
  std::string normal = os::text_of(std::filesystem::path(path).lexically_normal());
  while (normal.size() > os::root_of(normal).size() && normal.ends_with('/')) normal.pop_back();
  return normal;
}

// Normalizes a file's URI, so that file:///a%3Ab and file:///a:b are the same document.
std::string key_of(const std::string& uri) {
  const auto path = path_of_uri(uri);
  return path ? uri_of_path(normal_path(*path)) : uri;
}

std::string key_of(const FileInFolder& file) {
  return file.is_buffer() ? file.inside : uri_of_path(file.full());
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Strips the common prefix and suffix, but never half a character.
Replacement without_equal_ends(const Replacement& change, const std::string& old) {
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
  return without_equal_ends({0, before.size(), after.str()}, before.str());
}

void Documents::change_folders(const std::vector<WorkspaceFolder>& removed,
                               const std::vector<WorkspaceFolder>& added) {
  std::vector<RootToName> roots;
  for (const Root& root : roots_) {
    const bool goes = std::ranges::any_of(removed, [&](const WorkspaceFolder& folder) {
      const auto path = path_of_uri(folder.uri);
      return path && normal_path(*path) == root.folder;
    });
    // A single folder's name is not part of any path.
    if (!goes) roots.push_back({root, roots_.size() > 1});
  }
  for (const WorkspaceFolder& folder : added) {
    const auto path = path_of_uri(folder.uri);
    if (!path) continue;
    const std::string normal = normal_path(*path);
    const bool is_there = std::ranges::any_of(
        roots, [&](const RootToName& other) { return other.root.folder == normal; });
    if (!is_there) roots.push_back({{folder.name, normal}, false});
  }
  roots_ = Roots(name_roots(std::move(roots)));
  name_loose_files();
}

// If no folder is open, each open file is one of the workspace, under a name that it keeps.
void Documents::name_loose_files() {
  std::vector<LooseFile> files = roots_.loose_files();
  std::erase_if(files, [&](const LooseFile& file) {
    return std::ranges::none_of(
        open_, [&](const auto& entry) { return entry.second.real == file.absolute; });
  });
  for (const auto& [key, document] : open_) {
    const auto path = path_of_uri(key);
    if (!path || std::ranges::count(files, document.real, &LooseFile::absolute) > 0) continue;
    std::filesystem::path above(*path), name = above.filename();
    while (std::ranges::count(files, os::text_of(name), &LooseFile::path) > 0) {
      above = above.parent_path();
      name = above.filename() / name;
    }
    files.push_back({os::text_of(name), document.real});
  }
  roots_ = roots_.with(std::move(files));
  for (auto& [key, document] : open_) document.path = path_of(document.uri);
}

void Documents::open(const TextDocumentItem& item) {
  const std::string key = key_of(item.uri);
  if (key == item.uri) {
    spelled_.erase(key);
  } else {
    spelled_[key] = item.uri;
  }
  const auto file = path_of_uri(item.uri);
  Text text(item.text);
  const bool lost = text.has_lone_returns();
  open_[key] = {.uri = item.uri,
                .path = path_of(item.uri),
                .language = item.language_id,
                .version = item.version,
                .text = std::move(text),
                .real = file ? real_path(*file).value_or(*file) : "",
                .lost = lost};
  if (roots_.empty()) name_loose_files();
}

void Documents::set_file_encoding(const std::string& uri, const std::string& encoding) {
  if (uri.empty())
    loading_encoding_ = encoding;
  else if (const auto found = open_.find(key_of(uri)); found != open_.end())
    found->second.encoding = encoding;
}

void Documents::close(const std::string& uri) {
  open_.erase(key_of(uri));
  if (roots_.empty()) name_loose_files();
}

std::string lone_returns_in_words(const std::string& path) {
  return path + " has carriage returns inside its lines, which editors count differently";
}

Result<std::vector<Replacement>> Documents::change(const DidChangeParams& params) {
  const auto found = open_.find(key_of(params.uri));
  if (found == open_.end()) {
    return fail(Error::Code::not_found, "Change to a document that is not open: " + params.uri);
  }
  Document& document = found->second;
  std::vector<Replacement> result;
  Text text = document.text;  // all of the changes or none: whoever follows them hears of all
  bool lost = document.lost;
  for (const ContentChange& change : params.changes) {
    Replacement raw{0, text.size(), change.text};
    if (change.range) {
      const auto& [start, end] = *change.range;
      if (end < start || start.line >= text.line_count() + 1) {
        document.lost = true;
        return fail(Error::Code::invalid_input,
                    "Change to " + document.path + " with an invalid range.");
      }
      raw.offset = to_offset(text, start, encoding_);
      raw.length = to_offset(text, end, encoding_) - raw.offset;
    } else {
      lost = false;
    }
    Replacement small = without_equal_ends(raw, text.substr(raw.offset, raw.length));
    text = text.replace(small.offset, small.length, small.text);
    result.push_back(std::move(small));
  }
  document.text = std::move(text);
  document.lost = lost || document.text.has_lone_returns();
  document.version = params.version.value_or(document.version + 1);
  return result;
}

void Documents::lose(const std::string& uri) {
  if (const auto found = open_.find(key_of(uri)); found != open_.end()) found->second.lost = true;
}

const Document* Documents::find_key(const std::string& key,
                                    const std::optional<std::string>& file) const {
  const auto found = open_.find(key);
  if (found != open_.end()) return &found->second;
  const auto real = file && !open_.empty() ? real_path(*file) : std::nullopt;
  if (!real) return nullptr;
  for (const auto& [other, document] : open_)
    if (!document.real.empty() && is_same_file(document.real, *real)) return &document;
  return nullptr;
}

const Document* Documents::find(const std::string& uri) const {
  return find_key(key_of(uri), path_of_uri(uri));
}

const Document* Documents::find(const FileInFolder& file) const {
  return find_key(key_of(file), file.is_buffer() ? std::nullopt : std::optional(file.full()));
}

bool Documents::is_uri_of(const std::string& uri, const FileInFolder& file) const {
  if (key_of(uri) == key_of(file)) return true;
  const auto path = path_of_uri(uri);
  if (!path || file.is_buffer()) return false;
  const auto real = real_path(*path), other = real_path(file.full());
  // One that is open under its own name is another document.
  return real && other && is_same_file(*real, *other) && find(uri) == find(file);
}

const Document* Documents::find_path(std::string_view path) const {
  return find(roots_.file_at(path));
}

std::string Documents::path_of(const std::string& uri) const {
  const auto absolute = path_of_uri(uri);
  if (!absolute) return uri;
  const auto path = workspace_path(*absolute, roots_);
  return path && !path->empty() && !is_untitled(*path) ? *path : *absolute;
}

std::string Documents::uri_of(const FileInFolder& file) const {
  if (const Document* document = find(file)) return document->uri;
  std::string key = key_of(file);
  const auto spelled = spelled_.find(key);
  return spelled == spelled_.end() ? key : spelled->second;
}

}  // namespace bodkin::lsp
