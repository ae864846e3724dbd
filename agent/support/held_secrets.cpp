#include "agent/support/held_secrets.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "agent/support/base64.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

using Secrets = std::vector<std::string>;

struct Held {
  std::mutex mutex;
  std::shared_ptr<const Secrets> secrets = std::make_shared<Secrets>();  // the longest first
};
Held& held() {
  static Held held;
  return held;
}
std::shared_ptr<const Secrets> all_held() {
  const std::lock_guard lock(held().mutex);
  return held().secrets;
}

bool is_distinctive(std::string_view secret) {
  const bool has_digit = secret.find_first_of("0123456789") != secret.npos;
  return secret.size() >= (has_digit ? 10 : 20) && secret.find('\n') == secret.npos;
}

// The spellings in which a server may write it: in base64, alone or behind a user's name ("Basic
// …"), or only the first or the second half.
Secrets spellings_of(std::string_view secret) {
  constexpr size_t kLeastHalf = 12;
  Secrets all = {std::string(secret)};
  for (size_t before = 0; before < 3; ++before) {
    // Six bits are a character; those at the ends have bits of what is around it, too.
    const std::string encoded = base64_of(std::string(before, 'x') + std::string(secret));
    const size_t begin = (before * 8 + 5) / 6, end = (before + secret.size()) * 8 / 6;
    all.push_back(encoded.substr(begin, end - begin));
  }
  const size_t half = (secret.size() + 1) / 2;
  for (const std::string_view part : {secret.substr(0, half), secret.substr(half)})
    if (part.size() >= kLeastHalf && is_distinctive(part)) all.emplace_back(part);
  return all;
}

}  // namespace

void hold_secret(std::string_view secret) {
  if (!is_distinctive(secret)) return;
  const std::lock_guard lock(held().mutex);
  if (std::ranges::find(*held().secrets, secret) != held().secrets->end()) return;
  auto more = std::make_shared<Secrets>(*held().secrets);
  for (std::string& spelling : spellings_of(secret)) more->push_back(std::move(spelling));
  std::ranges::sort(*more, std::greater(), &std::string::size);
  const auto same = std::ranges::unique(*more);
  more->erase(same.begin(), same.end());
  held().secrets = std::move(more);
}

void hold_header(std::string_view value) {
  for (const std::string_view word : split(value, ' ')) hold_secret(word);
}

std::vector<HeldPlace> held_secrets_in(std::string_view text) {
  const auto secrets = all_held();
  if (secrets->empty()) return {};
  std::vector<HeldPlace> places;
  for (const std::string& secret : *secrets)
    for (size_t at = 0; (at = text.find(secret, at)) != text.npos; at += secret.size())
      places.push_back({at, at + secret.size()});
  join_overlapping(places);
  return places;
}

std::string without_held_secrets(std::string text) {
  const auto places = held_secrets_in(text);
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    text.replace(place->begin, place->end - place->begin, "[key]");
  return text;
}

std::string HeldSecretFilter::take(std::string_view piece) {
  waiting_ += piece;
  // The longest end that may be the beginning of one.
  size_t open = 0;
  for (const std::string& secret : *all_held())
    for (size_t size = std::min(secret.size() - 1, waiting_.size()); size > open; --size)
      if (waiting_.ends_with(std::string_view(secret).substr(0, size))) open = size;
  // One may end where another begins.
  size_t cut = waiting_.size() - open;
  for (const HeldPlace& place : held_secrets_in(waiting_))
    if (place.begin < cut && place.end > cut) cut = place.begin;
  std::string ready = without_held_secrets(waiting_.substr(0, cut));
  waiting_.erase(0, cut);
  return ready;
}

std::string HeldSecretFilter::rest() { return without_held_secrets(std::exchange(waiting_, "")); }

}  // namespace bodkin
