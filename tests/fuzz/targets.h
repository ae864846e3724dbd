// What is fuzzed: functions of any bytes that must neither crash nor break a promise of their
// header. One list serves libFuzzer (fuzz.cpp, run.sh) and the replay of kept cases (replay.cpp).
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bodkin::fuzz {

struct Target {
  std::string_view name;  // its cases are in cases/NAME/
  void (*run)(std::string_view bytes);
};

std::span<const Target> targets();

struct BrokenPromise : std::logic_error {
  using std::logic_error::logic_error;
};

inline void promise(bool kept, const char* what) {
  if (!kept) throw BrokenPromise(what);
}

}  // namespace bodkin::fuzz
