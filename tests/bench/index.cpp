// bench_index [FOLDER…]: what indexing costs, by phase and language, in CPU seconds of one thread.
//
// Without a folder: 10,000 files, the sources of this checkout again and again, each copy in a
// folder of its own and with a last line of its own. Aim: at most 10 CPU seconds in all, and the
// indexer, with its threads, at most 10 s on two cores.
#include <fmt/core.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include "agent/support/path_text.h"
#include "agent/support/temporary_folder.h"
#include "grammars/symbol_index.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/indexer.h"

using namespace bodkin;

namespace {

constexpr size_t kFiles = 10'000;

double cpu_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double cost_of(auto&& work, clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  const double begin = cpu_seconds(clock);
  work();
  return cpu_seconds(clock) - begin;
}

struct Costs {
  size_t files = 0, bytes = 0, given_up = 0;
  double parse = 0, outline = 0, names = 0;
};

// The last line makes each text another, so that none is recognized by its content.
void make_workload(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> sources;
  for (const char* part : {"agent", "clients", "edits", "grammars", "lsp", "tests"}) {
    const std::string below = join_path(BODKIN_SOURCE_DIR, part);
    for (const std::string& path : lsp::list_files(below, 100'000, true, {})) {
      const Language* language = language_of(path);
      if (!language || !declares_names(*language)) continue;
      sources.push_back(join_path(part, path));
    }
  }
  for (size_t i = 0; i < kFiles && !sources.empty(); ++i) {
    const std::string& path = sources[i % sources.size()];
    const auto text = lsp::read_from_disk(join_path(BODKIN_SOURCE_DIR, path), BODKIN_SOURCE_DIR);
    const fs::path file =
        join_path(folder, "copy" + std::to_string(i / sources.size()) + "/" + path);
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    if (text) out << text->str();
    out << "\n\n";
    for (size_t n = i / sources.size(); n > 0; --n) out << "\n";
  }
}

void measure(const std::string& root) {
  SymbolIndex index;
  std::map<std::string_view, Costs> by_language;
  std::vector<std::string> paths;
  double reading = 0;
  const double listing = cost_of([&] { paths = lsp::list_files(root, 1'000'000, true, {}); });
  for (const std::string& path : paths) {
    const Language* language = language_of(path);
    if (!language) continue;
    Result<Text> text;
    reading += cost_of([&] { text = lsp::read_from_disk(join_path(root, path), root); });
    if (!text || text->size() > 1'000'000) continue;
    Costs& costs = by_language[language->id];
    ++costs.files, costs.bytes += text->size();
    std::optional<Result<SyntaxTree>> tree;
    ParseLimits limits;
    limits.once = true;
    costs.parse += cost_of([&] { tree = SyntaxTree::parse(*language, *text, limits); });
    if (!*tree) {
      ++costs.given_up;
      continue;
    }
    Outline symbols;
    costs.outline += cost_of([&] { symbols = outline(**tree); });
    costs.names += cost_of(
        [&] { index.set(path, std::make_shared<FileSymbols>(symbols_of(**tree, symbols))); });
  }
  fmt::print("{}: listing {:.2f} s, reading {:.2f} s\n", root, listing, reading);
  Costs all;
  for (const auto& [language, costs] : by_language) {
    fmt::print(
        "  {:12} {:6} files {:7.1f} MB: parse {:6.2f} s, outline {:6.2f} s, names {:6.2f} s, {} "
        "given up\n",
        language, costs.files, costs.bytes / 1e6, costs.parse, costs.outline, costs.names,
        costs.given_up);
    all.files += costs.files, all.bytes += costs.bytes;
    all.parse += costs.parse, all.outline += costs.outline, all.names += costs.names;
  }
  fmt::print("  all: {} files, {:.1f} MB: {:.2f} CPU s of one thread\n", all.files, all.bytes / 1e6,
             listing + reading + all.parse + all.outline + all.names);
  const auto size = index.size();
  fmt::print("  {} files, {} declarations, {:.1f} MB of memory\n", size.files, size.definitions,
             size.bytes / 1e6);
  const double find = cost_of([&] { index.find(std::vector<std::string>{"main", "parse"}); });
  const double map = cost_of([&] { index.most_used({}, 200); });
  const double similar = cost_of([&] { index.similar_names("prase_file", 5); });
  fmt::print("  find {:.1f} ms, most used {:.1f} ms, similar names {:.1f} ms\n", find * 1e3,
             map * 1e3, similar * 1e3);

  const auto begun = std::chrono::steady_clock::now();
  const double cpu = cost_of(
      [&] {
        lsp::Indexer indexer("", lsp::Indexer::Priority::normal);
        indexer.set_roots({{"work", root}}, true);
        indexer.wait({});
      },
      CLOCK_PROCESS_CPUTIME_ID);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  fmt::print("  the indexer: {:.2f} s, {:.2f} CPU s of all its threads\n", wall.count(), cpu);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) measure(argv[i]);
  if (argc > 1) return 0;
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!folder) return fmt::print(stderr, "{}\n", folder.error().message), 2;
  make_workload(folder->path());
  measure(folder->path());
}
