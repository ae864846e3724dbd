#include "lsp/sessions/verification.h"

namespace bodkin {

std::string_view name_of(Verification::State state) {
  switch (state) {
    case Verification::State::verified:
      return "verified";
    case Verification::State::failed:
      return "failed";
    case Verification::State::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string in_words(const Verification& verification) {
  switch (verification.state) {
    case Verification::State::verified:
      return verification.by.empty() ? "checked" : "checked by " + verification.by;
    case Verification::State::failed:
      return "has problems";
    case Verification::State::unknown:
      break;
  }
  return verification.by.empty() ? "not checked" : "only " + verification.by + " was checked";
}

}  // namespace bodkin
