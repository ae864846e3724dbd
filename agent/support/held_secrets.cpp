#include "agent/support/held_secrets.h"

#include <algorithm>
#include <iterator>
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
// …"), in an address, in a JSON string, as digits, or only the first or the second half.
Secrets spellings_of(std::string_view secret) {
  constexpr size_t kLeastHalf = 12;
  Secrets all = {std::string(secret)};
  for (size_t before = 0; before < 3; ++before) {
    // Six bits are a character; those at the ends have bits of what is around it, too.
    const std::string encoded = base64_of(std::string(before, 'x') + std::string(secret));
    const size_t begin = (before * 8 + 5) / 6, end = (before + secret.size()) * 8 / 6;
    all.push_back(encoded.substr(begin, end - begin));
  }
  for (const std::string_view digits : {"0123456789abcdef", "0123456789ABCDEF"}) {
    for (const std::string_view prefix : {"", "%", "\\u00", "\\x"}) {
      std::string& spelling = all.emplace_back();
      for (const char c : secret) {
        const auto byte = static_cast<unsigned char>(c);
        (spelling += prefix) += {digits[byte / 16], digits[byte % 16]};
      }
    }
  }
  const size_t half = (secret.size() + 1) / 2;
  for (const std::string_view part : {secret.substr(0, half), secret.substr(half)})
    if (part.size() >= kLeastHalf && is_distinctive(part)) all.emplace_back(part);
  return all;
}

// The bytes at `at` of what nobody sees, so that a key with it looks like the key: characters
// without width, control characters, escape sequences, also one that is cut off. 0: it is seen.
size_t unseen_at(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte < 0x7f)) return 0;
  if (byte == 0x1b && text.substr(at + 1, 1) == "[") {
    const size_t end = text.find_first_not_of("0123456789:;<=>?!\"#$%&'()*+,-./ ", at + 2);
    return std::min(end, text.size() - 1) + 1 - at;
  }
  if (byte <= 0x7f) return 1;
  struct Range {
    std::string_view first, last;
  };
  constexpr Range kRanges[] = {
      {"\u00ad", "\u00ad"}, {"\u034f", "\u034f"}, {"\u061c", "\u061c"},
      {"\u115f", "\u1160"}, {"\u17b4", "\u17b5"}, {"\u180b", "\u180f"},
      {"\u200b", "\u200f"}, {"\u202a", "\u202e"}, {"\u2060", "\u206f"},
      {"\u3164", "\u3164"}, {"\ufe00", "\ufe0f"}, {"\ufeff", "\ufeff"},
      {"\uffa0", "\uffa0"}, {"\ufff9", "\ufffb"}, {"\U000e0000", "\U000e0fff"},
  };
  for (const Range& range : kRanges) {
    const std::string_view here = text.substr(at, range.first.size());
    const size_t size = here.size();  // of what may be only its beginning
    if (here >= range.first.substr(0, size) && here <= range.last.substr(0, size)) return size;
  }
  return 0;
}

struct Seen {
  std::string text;
  std::vector<HeldPlace> gaps;  // before its byte `begin`: `end` bytes of the other text are unseen

  size_t place_of(size_t at) const {
    const auto after = std::ranges::upper_bound(gaps, at, {}, &HeldPlace::begin);
    return at + (after == gaps.begin() ? 0 : std::prev(after)->end);
  }
};
Seen seen_of(std::string_view text) {
  Seen seen;
  size_t unseen = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t size = unseen_at(text, i);
    if (size == 0) {
      seen.text += text[i++];
      continue;
    }
    i += size;
    unseen += size;
    if (seen.gaps.empty() || seen.gaps.back().begin != seen.text.size())
      seen.gaps.push_back({seen.text.size(), unseen});
    seen.gaps.back().end = unseen;
  }
  return seen;
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
  const Seen seen = seen_of(text);
  for (const std::string& secret : *secrets)
    for (size_t at = 0; (at = seen.text.find(secret, at)) != text.npos; at += secret.size())
      places.push_back({seen.place_of(at), seen.place_of(at + secret.size() - 1) + 1});
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
  const Seen seen = seen_of(waiting_);
  for (const std::string& secret : *all_held())
    for (size_t size = std::min(secret.size() - 1, seen.text.size()); size > open; --size)
      if (seen.text.ends_with(std::string_view(secret).substr(0, size))) open = size;
  // One may end where another begins.
  const size_t whole = open ? seen.place_of(seen.text.size() - open) : waiting_.size();
  size_t cut = whole;
  for (const HeldPlace& place : held_secrets_in(waiting_))
    if (place.begin < cut && place.end > cut) cut = place.begin;
  std::string ready = without_held_secrets(waiting_.substr(0, cut));
  waiting_.erase(0, cut);
  return ready;
}

std::string HeldSecretFilter::rest() { return without_held_secrets(std::exchange(waiting_, "")); }

}  // namespace bodkin
