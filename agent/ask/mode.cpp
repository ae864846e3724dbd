#include "agent/ask/mode.h"

namespace bodkin {

namespace {

constexpr std::string_view kModeNames[] = {"confirm", "auto", "human", "plan"};

}  // namespace

std::string_view name_of(Mode mode) { return kModeNames[static_cast<size_t>(mode)]; }

std::optional<Mode> mode_named(std::string_view name) {
  for (const Mode mode : {Mode::confirm, Mode::automatic, Mode::human, Mode::plan}) {
    if (name_of(mode) == name) return mode;
  }
  return std::nullopt;
}

}  // namespace bodkin
