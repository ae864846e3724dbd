// bench_index FOLDER…: what indexing costs, by phase and language, in CPU seconds of one thread.
#include <fmt/core.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include "grammars/symbol_index.h"
#include "lsp/workspace/disk.h"

using namespace bodkin;

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double cost_of(auto&& work) {
  const double begin = cpu_seconds();
  work();
  return cpu_seconds() - begin;
}

struct Costs {
  size_t files = 0, bytes = 0, given_up = 0;
  double parse = 0, outline = 0, names = 0;
};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string root = argv[i];
    SymbolIndex index;
    std::map<std::string_view, Costs> by_language;
    std::vector<std::string> paths;
    double reading = 0;
    const double listing = cost_of([&] { paths = lsp::list_files(root, 1'000'000, true, {}); });
    for (const std::string& path : paths) {
      const Language* language = language_of(path);
      if (!language) continue;
      Result<Text> text;
      reading += cost_of([&] { text = lsp::read_from_disk(root + "/" + path, root); });
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
    for (const auto& [language, costs] : by_language) {
      fmt::print(
          "  {:12} {:6} files {:7.1f} MB: parse {:6.2f} s, outline {:6.2f} s, names {:6.2f} s, {} "
          "given up\n",
          language, costs.files, costs.bytes / 1e6, costs.parse, costs.outline, costs.names,
          costs.given_up);
    }
    const auto size = index.size();
    fmt::print("  {} files, {} declarations, {:.1f} MB of memory\n", size.files, size.definitions,
               size.bytes / 1e6);
    const double find = cost_of([&] { index.find(std::vector<std::string>{"main", "parse"}); });
    const double map = cost_of([&] { index.most_used({}, 200); });
    const double similar = cost_of([&] { index.similar_names("prase_file", 5); });
    fmt::print("  find {:.1f} ms, most used {:.1f} ms, similar names {:.1f} ms\n", find * 1e3,
               map * 1e3, similar * 1e3);
  }
}
