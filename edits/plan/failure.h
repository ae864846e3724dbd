// Why an edit was refused, as a value: what is wrong, for anybody, apart from what the model should
// send instead, so that advice for the model cannot reach the user.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace bodkin {

enum class FailureKind {
  ambiguous,   // the old side, or a sketch, fits several places and nothing distinguishes them
  not_found,   // it fits none, or only one that is contradicted
  conflict,    // two hunks change the same bytes, or a file is changed in two ways
  truncated,   // the reply was cut off
  malformed,   // it cannot be parsed, names no file, or its new text leaves lines out
  exists,      // a file would be created at, or moved to, an existing one
  stale_path,  // the file cannot be determined, or its path is forbidden
};
std::string_view name_of(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::not_found;
  std::string message;      // what is wrong: a sentence without its full stop
  std::string advice = {};  // what to send instead, likewise, for the model alone; often empty
  // The message says "its lines" and means the hunk's: the caller that shows it says which hunk.
  bool is_of_hunk = false;
};

template <class T>
using FailureOr = std::expected<T, Failure>;

inline std::unexpected<Failure> failure(FailureKind kind, std::string message,
                                        std::string advice = {}) {
  return std::unexpected(Failure{kind, std::move(message), std::move(advice)});
}

// "message; advice", for the model, without a full stop.
std::string with_advice(const Failure& failure);

// "kind: message; advice", likewise.
std::string for_model(const Failure& failure);

}  // namespace bodkin
