// Secrets that bodkin itself holds, such as a provider's key: they are recognized by their value,
// in any form, also in base64 or cut in half, and are kept out of everything that is shown, stored
// or sent to a model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Hides it for the life of the process. If it is too short, or a word such as "not-needed", it is
// not hidden, as it would be found in other text. Any thread.
void hold_secret(std::string_view secret);
// The words of a header's value, of which one may be a secret: "Bearer …".
void hold_header(std::string_view value);

struct HeldPlace {
  size_t begin = 0, end = 0;  // bytes
};
// Sorts places with `begin` and `end`, and joins those that overlap.
template <class Place>
void join_overlapping(std::vector<Place>& places) {
  std::ranges::sort(places, {}, &Place::begin);
  size_t kept = 0;
  for (const Place& place : places) {
    if (kept > 0 && place.begin < places[kept - 1].end)
      places[kept - 1].end = std::max(places[kept - 1].end, place.end);
    else
      places[kept++] = place;
  }
  places.resize(kept);
}
// In order, disjoint. Any thread.
std::vector<HeldPlace> held_secrets_in(std::string_view text);
// "[key]" in their place.
std::string without_held_secrets(std::string text);

// The same for a text that comes in pieces: a secret may be split between them.
class HeldSecretFilter {
 public:
  // Returns the part of the text so far that can be shown and was not yet.
  std::string take(std::string_view piece);
  std::string rest();  // there is no further piece

 private:
  std::string waiting_;
};

}  // namespace bodkin
