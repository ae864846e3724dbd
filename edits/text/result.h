// Result<T>: what every function returns that can fail in an expected way. Errors are values.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace bodkin {

struct Error {
  enum class Code { cancelled, stale, invalid_input, not_found, ambiguous, unavailable, internal };
  Code code = Code::internal;
  std::string message;       // one sentence for the user or the model, whoever must act
  std::string setting = {};  // of the user's, that can mend it: "model.endpoint"; or empty
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Error::Code code, std::string message,
                                   std::string setting = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(setting)});
}

}  // namespace bodkin
