// libFuzzer's entry: the target is the program's name behind "fuzz_", so that one build serves all
// (run.sh makes the links).
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "targets.h"

namespace {

const bodkin::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  std::string_view name = (*argv)[0];
  name.remove_prefix(name.rfind('/') + 1);
  for (const auto& target : bodkin::fuzz::targets()) {
    if (name == "fuzz_" + std::string(target.name)) chosen = &target;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "Call it as fuzz_NAME; NAME is one of:\n");
    for (const auto& target : bodkin::fuzz::targets())
      std::fprintf(stderr, "%s\n", target.name.data());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
