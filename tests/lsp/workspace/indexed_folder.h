// A folder with an index, for the tests of the indexer.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/support/temporary_folder.h"
#include "lsp/workspace/indexer.h"

namespace bodkin::lsp {

struct IndexedFolder {
  std::string work() const { return own.path() + "/work"; }
  std::string cache() const { return own.path() + "/cache"; }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path / "work" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  TemporaryFolder own = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  std::filesystem::path path = own.path();
};

inline std::vector<std::string> places(const Indexer& indexer, const std::string& name) {
  std::vector<std::string> result;
  for (const IndexedSymbol& symbol : indexer.index()->find(std::vector{name})) {
    result.push_back(symbol.path + ":" + std::to_string(symbol.lines.begin + 1));
  }
  return result;
}

inline void scan(Indexer& indexer, const IndexedFolder& folder) {
  indexer.set_roots({{"work", folder.work()}}, true);
  REQUIRE(indexer.wait({}));
}

using Places = std::vector<std::string>;

}  // namespace bodkin::lsp
