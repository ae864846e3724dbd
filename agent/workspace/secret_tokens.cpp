// Tokens of well-known services, by their documented forms (secret_forms.h).
#include <array>
#include <cstdint>

#include "agent/workspace/secret_scan.h"

namespace bodkin {

namespace {

// The numbers of the forms that begin with a character.
constexpr size_t kMaxOne = 48;
struct Starts {
  std::array<std::array<uint8_t, kMaxOne>, 256> forms{};
  std::array<uint8_t, 256> count{};
};
constexpr Starts kStarts = [] {
  Starts starts;
  for (size_t i = 0; i < std::size(kTokenForms); ++i) {
    const auto c = static_cast<unsigned char>(kTokenForms[i].prefix[0]);
    starts.forms[c][starts.count[c]++] = static_cast<uint8_t>(i);
  }
  return starts;
}();

}  // namespace

size_t SecretScan::token(size_t at) {
  const auto c = static_cast<unsigned char>(text_[at]);
  for (size_t i = 0; i < kStarts.count[c]; ++i) {
    const TokenForm& form = kTokenForms[kStarts.forms[c][i]];
    if (!text_.substr(at, form.prefix.size()).starts_with(form.prefix)) continue;
    const size_t body = at + form.prefix.size();
    const size_t end = run_end(form.chars, body);
    if (end - body < form.least) {
      if (const size_t last = split(form, at, body, end)) return last;
      continue;
    }
    if (end - body > form.most) continue;
    // It must end as a word does.
    if (form.most != 4096 && end < text_.size() && is_token_char(kWord, text_[end])) continue;
    const std::string_view rest = text_.substr(body, end - body);
    if (form.is_random ? !looks_random(rest) : form.may_be_words() && reads_as_words(rest))
      continue;
    return add(at, end);
  }
  // Airtable: patID.SECRET; Harness: pat.ACCOUNT.ID.SECRET.
  if (c == 'p' && text_.substr(at, 3) == "pat")
    return text_.substr(at, 4) == "pat." ? dotted(at, 4, 22, 24) : dotted(at, 3, 14, 64);
  if (c == 'e' && text_.substr(at, 3).starts_with("eyJ")) return web_token(at);
  if (c == 'S' && text_.substr(at, 3).starts_with("SG.")) return dotted(at, 3, 16, 32);
  if (c == 'm') return netrc(at);
  if (c == 'd' && text_.substr(at, 7).starts_with("dt0") && text_.substr(at, 7).ends_with('.'))
    return dotted(at, 7, 24, 60);  // Dynatrace: dt0c01.PUBLIC.SECRET
  if (c == 'a' && text_.substr(at, 13).starts_with("access_token$")) {  // of Braintree
    size_t end = at + 13;
    while (end < text_.size() && (is_token_char(kWord, text_[end]) || text_[end] == '$')) ++end;
    if (end - at >= 60) return add(at, end);
  }
  if (c == 'A' && text_.substr(at, 11).starts_with("AccountKey=")) return storage_key(at + 11);
  return at;
}

size_t SecretScan::split(const TokenForm& form, size_t at, size_t body, size_t end) {
  constexpr size_t kMaxPieces = 5, kMaxBetween = 80;
  std::array<LineRange, kMaxPieces> pieces;
  size_t count = 0, sum = end - body;
  pieces[count++] = {at, end};
  for (size_t last = end; count < kMaxPieces; ++count) {
    size_t next = last, quotes = 0;
    while (next < text_.size() && next - last < kMaxBetween) {
      const char c = text_[next];
      if (c == '"' || c == '\'' || c == '`') {
        if (++quotes == 3) break;
      } else if (quotes != 1 ||
                 std::string_view(" \t\r\n+.\\&").find(c) == std::string_view::npos) {
        break;
      }
      ++next;
    }
    if (quotes != 2) break;
    last = run_end(form.chars, next);
    if (last == next) break;
    pieces[count] = {next, last};
    sum += last - next;
  }
  if (count < 2 || sum < form.least || sum > form.most) return 0;
  for (size_t i = 0; i < count; ++i) add(pieces[i].begin, pieces[i].end, i > 0);
  return pieces[count - 1].end;
}

size_t SecretScan::bot(size_t at) {
  size_t begin = at;
  while (begin > 0 && at - begin < 11 && text_[begin - 1] >= '0' && text_[begin - 1] <= '9')
    --begin;
  const bool is_number = at - begin >= 8 && at - begin <= 10;
  const bool is_in_address = begin >= 3 && text_.substr(begin - 3, 3) == "bot";
  if (!is_number || (begin > 0 && is_token_char(kWord, text_[begin - 1]) && !is_in_address))
    return at;
  if (at + 1 >= text_.size() || text_[at + 1] != 'A') return at;
  const size_t end = run_end(kToken, at + 1);
  return end - at == 36 ? add(begin, end) : at;
}

size_t SecretScan::around_colon(size_t at) {
  size_t begin = at;
  while (begin > 0 && at - begin < 37 &&
         (is_token_char(kHex, text_[begin - 1]) || text_[begin - 1] == '-'))
    --begin;
  const std::string_view before = text_.substr(begin, at - begin);
  if (before.size() == 36 && before[8] == '-' && before[23] == '-')
    return text_.substr(at, 3) == ":fx" && run_end(kWord, at + 1) == at + 3 ? add(begin, at + 3)
                                                                            : at;
  const bool is_number = before.size() >= 13 && before.size() <= 17 && begin >= 2 &&
                         before.find_first_not_of("0123456789") == before.npos;
  if (!is_number || text_[begin - 1] != '/' || kind_of(text_[begin - 2]) != '0') return at;
  return run_end(kHex, at + 1) == at + 33 ? add(begin - 2, at + 33) : at;
}

size_t SecretScan::around_underscore(size_t at) {
  const auto word_before = [this](size_t end) {
    size_t begin = end;
    while (begin > 0 && end - begin < 30 && is_token_char(kWord, text_[begin - 1])) --begin;
    return begin;
  };
  const size_t begin = word_before(at), end = run_end(kWord, at + 1);
  const auto is_underscore = [this](size_t i) { return i > 0 && text_[i - 1] == '_'; };
  if (text_.substr(at + 1, end - at - 1) == "mmk" && at - begin == 29 && is_underscore(begin)) {
    const size_t first = word_before(begin - 1);
    return begin - 1 - first == 6 ? add(first, end) : at;
  }
  const bool has_sizes = at - begin == 27 && end - at == 22 && !is_underscore(begin);
  return has_sizes && text_[begin] == '2' && looks_random(text_.substr(begin, end - begin))
             ? add(begin, end)
             : at;
}

size_t SecretScan::behind_dot(size_t at) {
  const std::string_view rest = text_.substr(at);
  if (rest.starts_with(".atlasv1.")) {
    const size_t end = run_end(kToken, at + 9);
    size_t begin = at;
    while (begin > 0 && at - begin < 14 && is_token_char(kWord, text_[begin - 1])) --begin;
    return end - at - 9 >= 50 && at - begin == 14 ? add(begin, end) : at;
  }
  if (rest.size() < 35 || rest[7] != '.') return at;
  for (size_t i = 1; i < 7; ++i)
    if (!is_token_char(kToken, rest[i])) return at;
  size_t begin = at;
  while (begin > 0 && at - begin < 30 && is_token_char(kToken, text_[begin - 1])) --begin;
  if (at - begin < 23 || at - begin > 28 || text_[begin] < 'M' || text_[begin] > 'O') return at;
  const size_t end = run_end(kToken, at + 8);
  const size_t size = end - at - 8;
  const bool is_token = size >= 27 && size <= 40 && looks_secret(text_.substr(begin, at - begin)) &&
                        looks_secret(text_.substr(at + 8, size));
  return is_token ? add(begin, end) : at;
}

size_t SecretScan::client_secret(size_t at) {
  const auto fits = [this](size_t i) {
    return is_token_char(kToken, text_[i]) || text_[i] == '~' || text_[i] == '.';
  };
  if (at < 5 || text_[at - 1] != 'Q' || text_[at - 2] < '0' || text_[at - 2] > '9') return at;
  if (!fits(at - 3) || !fits(at - 4) || !fits(at - 5)) return at;
  size_t end = at + 1;
  while (end < text_.size() && end - at < 40 && fits(end)) ++end;
  return end - at >= 32 && end - at <= 35 ? add(at - 5, end) : at;
}

size_t SecretScan::signature(size_t at) {
  if (at < 4 || text_.substr(at - 3, 3) != "sig" || is_token_char(kToken, text_[at - 4])) return at;
  size_t end = at + 1;
  const size_t most = std::min(text_.size(), at + 200);
  while (end < most && (is_token_char(kBase64, text_[end]) || is_token_char(kToken, text_[end]) ||
                        text_[end] == '%'))
    ++end;
  const std::string_view value = text_.substr(at + 1, end - at - 1);
  return value.size() >= 40 && looks_random(value) ? add(at + 1, end) : at;
}

size_t SecretScan::web_token(size_t at) {
  const size_t first = run_end(kToken, at);
  if (first - at < 12 || !text_.substr(first, 4).starts_with(".eyJ")) return at;
  const size_t second = run_end(kToken, first + 1);
  if (second - first < 10 || second >= text_.size() || text_[second] != '.') return at;
  const size_t third = run_end(kToken, second + 1);
  return third - second > 16 ? add(at, third) : at;
}

size_t SecretScan::dotted(size_t at, size_t prefix, size_t least, size_t least_last) {
  const size_t first = run_end(kToken, at + prefix);
  if (first - at - prefix < least || first >= text_.size() || text_[first] != '.') return at;
  size_t second = run_end(kToken, first + 1);
  if (second - first <= least_last) return at;
  if (second < text_.size() && text_[second] == '.' && !looks_random(text_.substr(at, second - at)))
    return at;  // names with dots in between
  while (second + 1 < text_.size() && text_[second] == '.' &&
         is_token_char(kToken, text_[second + 1]))
    second = run_end(kToken, second + 1);
  return add(at, second);
}

size_t SecretScan::mailchimp(size_t at) {
  if (!text_.substr(at, 4).starts_with("-us") || at + 3 >= text_.size()) return at;
  size_t end = at + 3, begin = at;
  while (end < text_.size() && end - at < 6 && text_[end] >= '0' && text_[end] <= '9') ++end;
  while (begin > 0 && at - begin < 33 && is_token_char(kHex, text_[begin - 1])) --begin;
  const bool ends = end == text_.size() || !is_token_char(kWord, text_[end]);
  const bool is_key = at - begin == 32 && end > at + 3 && end - at < 6 && ends;
  return is_key && entropy(text_.substr(begin, 32)) > 2.5 ? add(begin, end) : at;
}

size_t SecretScan::storage_key(size_t at) {
  const size_t end = run_end(kBase64, at);
  return end - at >= 40 ? add(at, end) : at;
}

}  // namespace bodkin
