// Every kept case: the seeds, and what the fuzzer once found.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "targets.h"

using namespace bodkin;

TEST_CASE("what the fuzzers begin with and what they found breaks no promise") {
  namespace fs = std::filesystem;
  const fs::path cases = fs::path(BODKIN_TESTS_DIR) / "fuzz" / "cases";
  for (const fuzz::Target& target : fuzz::targets()) {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(cases / target.name)) {
      CAPTURE(entry.path().string());
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      CHECK_NOTHROW(target.run(bytes));
      ++count;
    }
    CHECK_MESSAGE(count > 0, "there is no case of " << target.name);
  }
}
