#include "grammars/symbol_index.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <unordered_map>

namespace bodkin {
namespace {

// A name declared in more files than this is too common to matter ("get", "main").
constexpr uint32_t kMaxDeclaring = 4;
constexpr double kContextWeight = 30;  // how much more a file in context counts
constexpr size_t kShortestName = 3;

IndexedSymbol symbol_of(const std::string& path, const FileSymbols& file,
                        const FileSymbols::Definition& definition) {
  return {path,
          std::string(file.name(definition)),
          file.container(definition),
          definition.kind,
          {definition.first_line, definition.end_line},
          definition.name_line,
          0};
}

// The edit distance, at most `limit` + 1.
size_t distance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

void SymbolIndex::set(std::string_view path, std::shared_ptr<const FileSymbols> symbols) {
  std::unique_lock lock(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) {
    files_.emplace(path, std::move(symbols));
  } else {
    found->second.swap(symbols);  // the old ones die after the lock
    lock.unlock();
  }
}

void SymbolIndex::remove(std::string_view path) {
  std::unique_lock lock(mutex_);
  const auto found = files_.find(path);
  if (found != files_.end()) files_.erase(found);
}

std::shared_ptr<const FileSymbols> SymbolIndex::find_file(std::string_view path) const {
  std::shared_lock lock(mutex_);
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second;
}

std::vector<IndexedSymbol> SymbolIndex::find(std::span<const std::string> names,
                                             size_t limit) const {
  std::set<std::string_view> wanted(names.begin(), names.end());
  std::set<uint32_t> hashes;
  for (const std::string& name : names) hashes.insert(hash_of_name(name));
  std::vector<bool> maybe(1 << 16);  // most declarations are dismissed quickly
  for (const uint32_t hash : hashes) maybe[hash & 0xFFFF] = true;

  std::vector<IndexedSymbol> result;
  std::shared_lock lock(mutex_);
  for (const auto& [path, file] : files_) {
    for (const FileSymbols::Definition& definition : file->definitions) {
      if (!maybe[definition.hash & 0xFFFF] || !hashes.contains(definition.hash)) continue;
      if (!wanted.contains(simple_name(file->name(definition)))) continue;
      if (result.size() >= limit) return result;
      result.push_back(symbol_of(path, *file, definition));
    }
  }
  return result;
}

std::vector<IndexedSymbol> SymbolIndex::most_used(std::span<const std::string> in_context,
                                                  size_t limit) const {
  struct Name {
    uint32_t declaring = 0;  // files
    uint32_t uses = 0;
    double score = 0;
  };
  std::shared_lock lock(mutex_);
  std::unordered_map<uint32_t, Name> names;
  for (const auto& [path, file] : files_) {
    std::set<uint32_t> own;
    for (const FileSymbols::Definition& definition : file->definitions) {
      if (is_declaration(definition.kind) && own.insert(definition.hash).second)
        ++names[definition.hash].declaring;
    }
  }
  std::erase_if(names, [](const auto& entry) { return entry.second.declaring > kMaxDeclaring; });

  const std::set<std::string_view> hand(in_context.begin(), in_context.end());
  // The names in the context files: other files that use them are related.
  std::set<uint32_t> hand_names;
  for (const std::string_view path : hand) {
    const auto file = files_.find(path);
    if (file == files_.end()) continue;
    for (const auto& definition : file->second->definitions) {
      if (names.contains(definition.hash)) hand_names.insert(definition.hash);
    }
  }
  for (const auto& [path, file] : files_) {
    double weight = hand.contains(path) ? kContextWeight : 1;
    if (weight == 1 && !hand_names.empty()) {
      for (const FileSymbols::Use& use : file->uses) {
        if (!hand_names.contains(use.hash)) continue;
        weight = 3;
        break;
      }
    }
    std::unordered_map<uint32_t, uint32_t> declared_here;
    for (const auto& definition : file->definitions) ++declared_here[definition.hash];
    for (const FileSymbols::Use& use : file->uses) {
      const auto name = names.find(use.hash);
      if (name == names.end()) continue;
      if (declared_here.contains(use.hash)) continue;  // its own
      name->second.uses += use.count;
      name->second.score += weight * std::sqrt(static_cast<double>(use.count));
    }
  }

  struct Candidate {
    double score;
    const std::string* path;
    const FileSymbols* file;
    const FileSymbols::Definition* definition;
    uint32_t uses;
  };
  std::vector<Candidate> candidates;
  for (const auto& [path, file] : files_) {
    for (const FileSymbols::Definition& definition : file->definitions) {
      if (!is_declaration(definition.kind)) continue;
      const auto name = names.find(definition.hash);
      if (name == names.end() || name->second.uses == 0) continue;
      if (simple_name(file->name(definition)).size() < kShortestName) continue;
      candidates.push_back({name->second.score / name->second.declaring, &path, file.get(),
                            &definition, name->second.uses});
    }
  }
  const auto before = [](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    if (*a.path != *b.path) return *a.path < *b.path;
    return a.definition->first_line < b.definition->first_line;
  };
  limit = std::min(limit, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(limit),
                    candidates.end(), before);
  std::vector<IndexedSymbol> result;
  for (size_t i = 0; i < limit; ++i) {
    const Candidate& one = candidates[i];
    result.push_back(symbol_of(*one.path, *one.file, *one.definition));
    result.back().uses = one.uses;
  }
  return result;
}

std::vector<std::string> SymbolIndex::similar_names(std::string_view name, size_t limit) const {
  if (name.empty() || name.size() > 100) return {};
  const size_t most = std::max<size_t>(1, name.size() / 4);
  std::set<std::pair<size_t, std::string>> found;
  std::shared_lock lock(mutex_);
  for (const auto& [path, file] : files_) {
    for (const FileSymbols::Definition& definition : file->definitions) {
      const std::string_view other = simple_name(file->name(definition));
      const size_t apart =
          other.starts_with(name) && name.size() > 2 ? most : distance(name, other, most);
      if (apart > most) continue;
      found.emplace(apart, other);
      if (found.size() > limit) found.erase(std::prev(found.end()));
    }
  }
  std::vector<std::string> result;
  for (const auto& [apart, other] : found) result.push_back(other);
  return result;
}

void SymbolIndex::visit(
    const std::function<void(std::string_view path, const FileSymbols& file)>& look) const {
  const std::shared_lock lock(mutex_);
  for (const auto& [path, file] : files_) look(path, *file);
}

SymbolIndex::Size SymbolIndex::size() const {
  std::shared_lock lock(mutex_);
  Size size;
  size.files = files_.size();
  for (const auto& [path, file] : files_) {
    size.definitions += file->definitions.size();
    size.bytes += file->bytes() + path.capacity() + 64;
  }
  return size;
}

void SymbolIndex::set_complete(bool complete) {
  {
    const std::lock_guard lock(completing_);
    is_complete_ = complete;
  }
  completed_.notify_all();
}

void SymbolIndex::wait_until_complete(std::chrono::steady_clock::time_point end,
                                      const std::stop_token& stop) const {
  std::unique_lock lock(completing_);
  completed_.wait_until(lock, stop, end, [&] { return is_complete(); });
}

}  // namespace bodkin
