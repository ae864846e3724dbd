// Secrets in a text, known by their form: private keys, the tokens of well-known services, logins
// in addresses and headers, random values that are called a password or a key.
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

// In their order, disjoint. Takes time in proportion to the text, whatever is in it.
std::vector<SecretPlace> find_secrets(std::string_view text);

struct WithoutSecrets {
  std::string text;  // a marker stands for each place: as many lines as before
  size_t count = 0;  // secrets that were taken out
  // By marker. The same secret has the same marker for as long as the process lives, and no two
  // secrets of one text share one.
  std::map<std::string, std::string, std::less<>> secrets;
};
WithoutSecrets without_secrets(std::string_view text);
// The text alone: as it is where there is none.
std::string hide_secrets(std::string text);

// A marker, or what is left of one that was cut.
bool has_piece_of_marker(std::string_view text);

// How often each marker stands in a text.
std::map<std::string, size_t, std::less<>> markers_in(std::string_view text);

}  // namespace bodkin
