// Finds secrets in a text by their form: private keys, tokens of well-known services, credentials
// in addresses and headers, and random values that are called a password or key.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct SecretPlace {
  size_t begin = 0, end = 0;  // bytes; within one line
  bool goes_on = false;       // one more part of the secret before it (a key of several lines)
};

// In order, disjoint. Linear time for any input.
std::vector<SecretPlace> find_secrets(std::string_view text);

struct WithoutSecrets {
  std::string text;  // each place is replaced by a marker; the number of lines is unchanged
  size_t count = 0;  // secrets that were taken out
  // By marker. A secret keeps its marker for the life of the process, and no two secrets of one
  // text share one.
  std::map<std::string, std::string, std::less<>> secrets;
};
WithoutSecrets without_secrets(std::string_view text);
// Only the text; unchanged if there are no secrets.
std::string hide_secrets(std::string text);

// A marker, or the rest of a cut one.
bool has_piece_of_marker(std::string_view text);

// How often each marker stands in a text.
std::map<std::string, size_t, std::less<>> markers_in(std::string_view text);

}  // namespace bodkin
