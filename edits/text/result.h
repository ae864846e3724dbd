// Result<T>: the return type of every function that can fail in an expected way. Errors are values.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace bodkin {

struct Error {
  enum class Code { cancelled, stale, invalid_input, not_found, ambiguous, unavailable, internal };
  Code code = Code::internal;
  std::string message;       // what is wrong: one sentence, for anybody
  std::string setting = {};  // of the user's, that can mend it: "model.endpoint"; or empty
  std::string advice = {};   // what to do instead: a sentence for the model alone; often empty
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Error::Code code, std::string message,
                                   std::string setting = {}) {
  return std::unexpected(Error{code, std::move(message), std::move(setting)});
}

inline std::unexpected<Error> fail_with_advice(Error::Code code, std::string message,
                                               std::string advice) {
  return std::unexpected(Error{code, std::move(message), {}, std::move(advice)});
}

// Both sentences, for the model.
inline std::string with_advice(const Error& error) {
  return error.message + (error.advice.empty() ? "" : " ") + error.advice;
}

}  // namespace bodkin
