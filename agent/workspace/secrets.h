// Finds secrets in a text by their format: private keys, tokens of well-known services, credentials
// in addresses and headers, and random values that are called a password or key.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct SecretPlace {
  size_t begin = 0, end = 0;     // bytes; within one line
  bool is_continuation = false;  // a continuation of the preceding secret (a multi-line key)
};

// In order, disjoint. Linear time for any input.
std::vector<SecretPlace> find_secrets(std::string_view text);

struct WithoutSecrets {
  std::string text;  // each place is replaced by a marker; the number of lines is unchanged
  size_t count = 0;  // of removed secrets
  // The secrets by marker. A secret keeps its marker for the life of the process, and no two
  // secrets of one text share one.
  std::map<std::string, std::string, std::less<>> secrets;
};
WithoutSecrets without_secrets(std::string_view text);
// Returns only the text; unchanged if there are no secrets.
std::string hide_secrets(std::string text);

// True if the text contains a marker, or part of one.
bool has_piece_of_marker(std::string_view text);

// The number of times that each marker occurs in a text.
std::map<std::string, size_t, std::less<>> markers_in(std::string_view text);

}  // namespace bodkin
