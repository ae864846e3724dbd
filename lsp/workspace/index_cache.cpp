// The format: a line that names the version, then for each file its path, stamp, content hash and
// symbols as little numbers of fixed size in the machine's order, then a hash of all that is
// before.
#include "lsp/workspace/index_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>
#include <type_traits>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/fnv1a.h"
#include "agent/support/read_file.h"
#include "agent/support/user_folders.h"
#include "grammars/languages.h"
#include "lsp/workspace/disk_steps.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxCacheFile = size_t{512} << 20;
// Increment when the same text gives different symbols: outline.cpp, file_symbols.cpp.
constexpr int kFormat = 2;
constexpr auto kKept = std::chrono::hours(24 * 30);

const std::string& header() {
  static const std::string text = [] {
    uint64_t hash = fnv1a(grammar_set());
    for (const Language& language : languages()) {
      hash = fnv1a(language.id, hash);
      hash = fnv1a(language.symbols, hash);
    }
    return fmt::format("bodkin index {} {} {:016x} {}\n", BODKIN_VERSION, kFormat, hash,
                       sizeof(FileSymbols::Definition));
  }();
  return text;
}

template <class Number>
void put(std::string& out, Number number) {
  static_assert(std::is_trivially_copyable_v<Number>);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& out, std::string_view text) {
  put(out, static_cast<uint32_t>(text.size()));
  out += text;
}

template <class Item>
void put_all(std::string& out, const std::vector<Item>& items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  put(out, static_cast<uint32_t>(items.size()));
  out.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
}

struct Input {
  std::string_view left;
  bool good = true;

  std::string_view take(size_t size) {
    if (size > left.size()) good = false;
    if (!good) return {};
    const std::string_view result = left.substr(0, size);
    left.remove_prefix(size);
    return result;
  }
  template <class Number>
  Number number() {
    Number result{};
    const std::string_view bytes = take(sizeof result);
    if (good) std::memcpy(&result, bytes.data(), sizeof result);
    return result;
  }
  std::string_view text() { return take(number<uint32_t>()); }
  template <class Item>
  std::vector<Item> all() {
    const size_t count = number<uint32_t>();
    const std::string_view bytes = take(count * sizeof(Item));
    std::vector<Item> result(good ? count : 0);
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

// The file must not only be readable: every index in it must be in range.
bool has_valid_indices(const FileSymbols& symbols) {
  const auto definition_is_sound = [&](const FileSymbols::Definition& one) {
    return size_t{one.name_begin} + one.name_size <= symbols.names.size() &&
           static_cast<unsigned>(one.kind) <= static_cast<unsigned>(SymbolKind::constant) &&
           one.first_line <= one.end_line &&
           (one.parent == FileSymbols::kNoParent || one.parent < symbols.definitions.size());
  };
  return std::ranges::all_of(symbols.definitions, definition_is_sound);
}

std::string cache_file(const std::string& cache_folder, const std::string& root) {
  return fmt::format("{}/{:016x}.index", cache_folder, fnv1a(root));
}

void remove_old(const std::string& cache_folder) {
  std::error_code error;
  for (fs::directory_iterator at(cache_folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    const auto written = fs::last_write_time(at->path(), ignored);
    if (!ignored && fs::file_time_type::clock::now() - written > kKept) {
      fs::remove(at->path(), ignored);
    }
  }
}

}  // namespace

std::string encode(const CachedFiles& files) {
  std::string out = header();
  put(out, static_cast<uint32_t>(files.size()));
  for (const auto& [path, file] : files) {
    put(out, std::string_view(path));
    put(out, file.stamp.changed_ns);
    put(out, file.stamp.size);
    put(out, file.stamp.inode);
    put(out, static_cast<uint8_t>(file.has_reliable_stamp));
    put(out, file.content);
    put(out, std::string_view(file.symbols->names));
    put_all(out, file.symbols->definitions);
    put_all(out, file.symbols->uses);
  }
  put(out, fnv1a(out));
  return out;
}

std::optional<CachedFiles> decode(std::string_view bytes) {
  if (!bytes.starts_with(header()) || bytes.size() < header().size() + sizeof(uint64_t)) {
    return std::nullopt;
  }
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (Input{bytes.substr(content.size())}.number<uint64_t>() != fnv1a(content)) {
    return std::nullopt;
  }
  Input in{content.substr(header().size())};
  CachedFiles result;
  for (auto count = in.number<uint32_t>(); count > 0 && in.good; --count) {
    std::string path(in.text());
    CachedFile file;
    file.stamp.changed_ns = in.number<int64_t>();
    file.stamp.size = in.number<uint64_t>();
    file.stamp.inode = in.number<uint64_t>();
    file.has_reliable_stamp = in.number<uint8_t>() != 0;
    file.content = in.number<uint64_t>();
    auto symbols = std::make_shared<FileSymbols>();
    symbols->names = in.text();
    symbols->definitions = in.all<FileSymbols::Definition>();
    symbols->uses = in.all<FileSymbols::Use>();
    if (!in.good || !has_valid_indices(*symbols)) return std::nullopt;
    file.symbols = std::move(symbols);
    result.insert_or_assign(std::move(path), std::move(file));
  }
  return in.good && in.left.empty() ? std::optional(std::move(result)) : std::nullopt;
}

std::string default_cache_folder() {
  const std::string folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? "" : folder + "/bodkin/index";
}

CachedFiles load_cache(const std::string& cache_folder, const std::string& root) {
  if (cache_folder.empty()) return {};
  const auto bytes = read_file(cache_file(cache_folder, root), kMaxCacheFile);
  auto files = bytes ? decode(*bytes) : std::nullopt;
  return files ? *std::move(files) : CachedFiles();
}

void save_cache(const std::string& cache_folder, const std::string& root,
                const CachedFiles& files) {
  if (cache_folder.empty()) return;
  std::error_code error;
  fs::create_directories(cache_folder, error);
  if (error) return;
  fs::permissions(cache_folder, fs::perms::owner_all, error);
  remove_old(cache_folder);
  const std::string name = cache_file(cache_folder, root);
  const std::string temporary = fmt::format("{}.{:08x}", name, std::random_device()());
  const int file =
      os::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  const bool is_written = write_all(file, encode(files)) == 0;
  if (os::close(file) != 0 || !is_written || os::rename(temporary.c_str(), name.c_str()) != 0)
    os::unlink(temporary.c_str());
}

}  // namespace bodkin::lsp
