#include "agent/secrets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

#include "edits/text.h"

namespace bodkin {

namespace {

// What the body of a token is made of.
enum Chars { kWord, kToken, kHex, kBase32, kBase64, kCharKinds };

constexpr std::array<std::array<bool, 256>, kCharKinds> kSets = [] {
  std::array<std::array<bool, 256>, kCharKinds> sets{};
  for (int c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z';
    const bool lower = c >= 'a' && c <= 'z';
    sets[kWord][c] = digit || upper || lower;
    sets[kToken][c] = digit || upper || lower || c == '_' || c == '-';
    sets[kHex][c] = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    sets[kBase32][c] = upper || digit;
    sets[kBase64][c] = digit || upper || lower || c == '+' || c == '/' || c == '=';
  }
  return sets;
}();

bool is_in(Chars kind, char c) { return kSets[kind][static_cast<unsigned char>(c)]; }

struct Form {
  std::string_view prefix;
  Chars chars;
  size_t least, most = 4096;  // of the body
};

// The documented forms of the services' tokens (GitHub's secret scanning, gitleaks).
constexpr Form kForms[] = {
    {"ghp_", kWord, 30},
    {"gho_", kWord, 30},
    {"ghu_", kWord, 30},
    {"ghs_", kWord, 30},
    {"ghr_", kWord, 30},
    {"github_pat_", kToken, 20},
    {"glpat-", kToken, 18},
    {"gldt-", kToken, 18},
    {"glrt-", kToken, 18},
    {"glcbt-", kToken, 18},
    {"glptt-", kToken, 18},
    {"glft-", kToken, 18},
    {"glimt-", kToken, 18},
    {"glagent-", kToken, 18},
    {"glsoat-", kToken, 18},
    {"gloas-", kToken, 18},
    {"glffct-", kToken, 18},
    {"GR1348941", kToken, 18},
    {"AKIA", kBase32, 16, 16},
    {"ASIA", kBase32, 16, 16},
    {"ABIA", kBase32, 16, 16},
    {"ACCA", kBase32, 16, 16},
    {"ABSK", kBase64, 80},
    {"AIza", kToken, 35, 35},
    {"GOCSPX-", kToken, 20},
    {"ya29.", kToken, 20},
    {"1//0", kToken, 38},
    {"xoxb-", kToken, 10},
    {"xoxp-", kToken, 10},
    {"xoxa-", kToken, 10},
    {"xoxr-", kToken, 10},
    {"xoxs-", kToken, 10},
    {"xoxe-", kToken, 10},
    {"xoxe.", kToken, 3},
    {"xoxc-", kToken, 10},
    {"xoxd-", kToken, 10},
    {"xapp-", kToken, 10},
    {"sk_live_", kWord, 10},
    {"sk_test_", kWord, 10},
    {"rk_live_", kWord, 10},
    {"rk_test_", kWord, 10},
    {"whsec_", kBase64, 24},
    {"sk-proj-", kToken, 20},
    {"sk-svcacct-", kToken, 20},
    {"sk-admin-", kToken, 20},
    {"sk-None-", kToken, 20},
    {"sk-ant-", kToken, 20},
    {"sk-or-", kToken, 20},
    {"sk-lf-", kToken, 20},
    {"sk-", kWord, 32},
    {"gsk_", kWord, 40},
    {"xai-", kWord, 40},
    {"pplx-", kWord, 40},
    {"r8_", kWord, 30, 48},
    {"hf_", kWord, 30, 48},
    {"api_org_", kWord, 30, 48},
    {"csk-", kWord, 40},
    {"npm_", kWord, 30},
    {"pypi-AgE", kToken, 30},
    {"rubygems_", kHex, 40},
    {"dckr_pat_", kToken, 20},
    {"dckr_oat_", kToken, 20},
    {"dop_v1_", kHex, 40},
    {"doo_v1_", kHex, 40},
    {"dor_v1_", kHex, 40},
    {"shpat_", kHex, 30},
    {"shpca_", kHex, 30},
    {"shppa_", kHex, 30},
    {"shpss_", kHex, 30},
    {"SK", kHex, 32, 32},
    {"key-", kHex, 32, 32},
    {"sq0csp-", kToken, 40},
    {"sq0atp-", kToken, 20},
    {"EAACEdEose0cBA", kWord, 20},
    {"dapi", kHex, 32, 34},
    {"lin_api_", kWord, 30},
    {"secret_", kWord, 43, 43},
    {"ntn_", kWord, 40},
    {"PMAK-", kToken, 40},
    {"hvs.", kToken, 20},
    {"hvb.", kToken, 20},
    {"hvr.", kToken, 20},
    {"glsa_", kToken, 30},
    {"glc_", kBase64, 32},
    {"sntrys_", kBase64, 40},
    {"sntryu_", kHex, 40},
    {"AGE-SECRET-KEY-", kBase32, 50},
    {"pscale_tkn_", kToken, 30},
    {"pscale_pw_", kToken, 30},
    {"ATATT3", kToken, 100},
    {"ATCTT3", kToken, 100},
    {"ATBB", kWord, 32, 36},
    {"sbp_", kHex, 40},
    {"sb_secret_", kToken, 20},
    {"dp.pt.", kWord, 40},
    {"dp.st.", kToken, 40},
    {"fo1_", kToken, 40},
    {"fm2_", kBase64, 80},
    {"tskey-", kToken, 20},
    {"HRKU-", kToken, 30},
    {"nfp_", kWord, 36},
    {"figd_", kToken, 36},
    {"dsk-", kToken, 40},
    {"aio_", kWord, 28, 28},
    {"pul-", kHex, 40},
    {"cio-", kToken, 40},
    {"rdme_", kWord, 60},
    {"xkeysib-", kToken, 64},
    {"xsmtpsib-", kToken, 64},
    {"NRAK-", kWord, 26},
    {"phx_", kWord, 40},
    {"vercel_", kWord, 24},
    {"lsv2_", kToken, 40},
    {"tvly-", kToken, 30},
    {"fw_", kWord, 24, 24},
    {"jina_", kToken, 50},
    {"pcsk_", kToken, 50},
    {"AAAAAAAAAAAAAAAAAAAAA", kBase64, 60},  // Twitter's bearer
};

// The numbers of the forms that begin with a character.
constexpr size_t kMostOfOne = 40;
struct Starts {
  std::array<std::array<uint8_t, kMostOfOne>, 256> forms{};
  std::array<uint8_t, 256> count{};
};
constexpr Starts kStarts = [] {
  Starts starts;
  for (size_t i = 0; i < std::size(kForms); ++i) {
    const auto c = static_cast<unsigned char>(kForms[i].prefix[0]);
    starts.forms[c][starts.count[c]++] = static_cast<uint8_t>(i);
  }
  return starts;
}();

// Do the first two characters begin a form? Most words are done with that.
constexpr std::array<std::array<bool, 128>, 128> kPairs = [] {
  std::array<std::array<bool, 128>, 128> pairs{};
  for (const Form& form : kForms)
    pairs[static_cast<size_t>(form.prefix[0])][static_cast<size_t>(form.prefix[1])] = true;
  for (const char* other : {"ey", "SG", "Ac", "Be", "be", "BE", "Ba", "ba", "BA"})
    pairs[static_cast<size_t>(other[0])][static_cast<size_t>(other[1])] = true;
  return pairs;
}();

char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_letters(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return low(a) == b; });
}

// Bits for each character; a random text of 20 characters has 3.5 and more, words have less.
double entropy(std::string_view text) {
  std::array<int, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

// Is it made by a machine? Words, paths, names and numbers are not.
bool looks_random(std::string_view value) {
  size_t digits = 0, upper = 0, lower = 0, hex = 0, changes = 0;
  int last = -1;
  for (const char c : value) {
    const int kind = c >= '0' && c <= '9'   ? 0
                     : c >= 'A' && c <= 'Z' ? 1
                     : c >= 'a' && c <= 'z' ? 2
                                            : 3;
    digits += kind == 0, upper += kind == 1, lower += kind == 2, hex += is_in(kHex, c);
    changes += last >= 0 && kind != last;
    last = kind;
  }
  if (digits < 2 || upper + lower == 0) return false;
  if (hex == value.size()) return value.size() >= 32 && entropy(value) > 3.0;
  // In random letters and digits the kind changes every other time; in "myKeyForTests2024" it does
  // not.
  return entropy(value) > 3.5 && changes * 3 >= value.size();
}

constexpr std::string_view kNoPasswords[] = {"password", "passwd", "pass",    "pwd",
                                             "pw",       "secret", "user",    "username",
                                             "test",     "xxx",    "example", "guest"};

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::vector<SecretPlace> run() {
    size_t at = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      size_t next = at + 1;
      if (c == '-') {
        next = std::max(private_key(at), next);
      } else if (c == ':') {
        next = std::max({address(at), assigned(at), next});
      } else if (c == '=') {
        next = std::max(assigned(at), next);
      } else if (c == 'P' && text_.substr(at).starts_with("Private-Lines:")) {
        next = std::max(putty(at), next);
      }
      if (next == at + 1 && next < text_.size() && is_in(kWord, c) &&
          kPairs[static_cast<size_t>(c)][text_[next] & 127] && begins(at)) {
        next = std::max(token(at), next);
        if (next == at + 1 && (c == 'B' || c == 'b')) next = std::max(bearer(at), next);
      }
      at = next;
    }
    std::ranges::sort(found_, {}, &SecretPlace::begin);
    return std::move(found_);
  }

 private:
  // Does a word begin here? Behind "\n" in a string and "%3D" in an address, too.
  bool begins(size_t at) const {
    if (at == 0 || !is_in(kWord, text_[at - 1])) return true;
    if (at >= 2 && text_[at - 2] == '\\') return true;
    if (at >= 3 && text_[at - 3] == '%') return true;
    return at >= 6 && text_[at - 6] == '\\' && low(text_[at - 5]) == 'u';
  }

  // Where a run of such characters ends; each is looked at once, wherever one asks from.
  size_t run_end(Chars kind, size_t at) {
    Run& run = runs_[kind];
    if (at >= run.begin && at < run.end) return run.end;
    run.begin = run.end = at;
    while (run.end < text_.size() && is_in(kind, text_[run.end])) ++run.end;
    return run.end;
  }

  size_t add(size_t begin, size_t end, bool goes_on = false) {
    if (end <= begin) return begin;
    if (!found_.empty() && begin < found_.back().end) begin = found_.back().end;
    if (begin < end) found_.push_back({begin, end, goes_on});
    return end;
  }

  size_t token(size_t at) {
    const auto c = static_cast<unsigned char>(text_[at]);
    for (size_t i = 0; i < kStarts.count[c]; ++i) {
      const Form& form = kForms[kStarts.forms[c][i]];
      if (!text_.substr(at, form.prefix.size()).starts_with(form.prefix)) continue;
      const size_t body = at + form.prefix.size();
      const size_t end = run_end(form.chars, body);
      if (end - body < form.least || end - body > form.most) continue;
      // It must end as a word does.
      if (form.most != 4096 && end < text_.size() && is_in(kWord, text_[end])) continue;
      return add(at, end);
    }
    if (c == 'e' && text_.substr(at, 3).starts_with("eyJ")) return web_token(at);
    if (c == 'S' && text_.substr(at, 3).starts_with("SG.")) return dotted(at, 3, 16, 32);
    if (c == 'A' && text_.substr(at, 11).starts_with("AccountKey=")) return storage_key(at + 11);
    return at;
  }

  // Three parts, the second a JSON object as well.
  size_t web_token(size_t at) {
    const size_t first = run_end(kToken, at);
    if (first - at < 12 || !text_.substr(first, 4).starts_with(".eyJ")) return at;
    const size_t second = run_end(kToken, first + 1);
    if (second - first < 10 || second >= text_.size() || text_[second] != '.') return at;
    const size_t third = run_end(kToken, second + 1);
    return third - second > 16 ? add(at, third) : at;
  }

  // prefix PART "." PART
  size_t dotted(size_t at, size_t prefix, size_t least, size_t least_last) {
    const size_t first = run_end(kToken, at + prefix);
    if (first - at - prefix < least || first >= text_.size() || text_[first] != '.') return at;
    const size_t second = run_end(kToken, first + 1);
    return second - first > least_last ? add(at, second) : at;
  }

  size_t storage_key(size_t at) {
    const size_t end = run_end(kBase64, at);
    return end - at >= 40 ? add(at, end) : at;
  }

  // "Bearer …" and "Basic …", as in a header.
  size_t bearer(size_t at) {
    for (const std::string_view scheme : {"bearer ", "basic "}) {
      if (!same_letters(text_.substr(at, scheme.size()), scheme)) continue;
      const size_t begin = at + scheme.size();
      size_t end = begin;
      const size_t most = std::min(text_.size(), begin + 8192);
      while (end < most && (is_in(kToken, text_[end]) || is_in(kBase64, text_[end]) ||
                            text_[end] == '.' || text_[end] == '~'))
        ++end;
      const std::string_view value = text_.substr(begin, end - begin);
      if (value.size() >= 16 && looks_secret(value)) return add(begin, end);
    }
    return at;
  }

  static bool looks_secret(std::string_view value) {
    const bool has_digit = value.find_first_of("0123456789") != value.npos;
    const bool has_letter =
        std::ranges::any_of(value, [](char c) { return low(c) >= 'a' && low(c) <= 'z'; });
    return has_digit && has_letter && entropy(value.substr(0, 200)) > 3.0;
  }

  // "://user:password@", at its first colon.
  size_t address(size_t at) {
    if (!text_.substr(at, 3).starts_with("://")) return at;
    constexpr size_t kMost = 1024;
    size_t colon = text_.npos, sign = text_.npos;
    const size_t begin = at + 3, most = std::min(text_.size(), begin + kMost);
    if (begin < address_end_) return at;  // looked at already
    size_t i = begin;
    for (; i < most; ++i) {
      const char c = text_[i];
      if (c == '@') sign = i;
      if (static_cast<unsigned char>(c) <= ' ' || c == '/' || c == '"' || c == '\'' || c == '<' ||
          c == '>' || c == '`' || c == '\\' || c == '?' || c == '#' || c == ',')
        break;
      if (c == ':' && colon == text_.npos) colon = i;
    }
    address_end_ = i;
    if (sign == text_.npos || (colon != text_.npos && colon > sign)) return at;
    if (colon == text_.npos) {  // a token in the user's place
      const std::string_view user = text_.substr(begin, sign - begin);
      return user.size() >= 20 && looks_secret(user) ? add(begin, sign) : at;
    }
    const std::string_view password = text_.substr(colon + 1, sign - colon - 1);
    const std::string_view user = text_.substr(begin, colon - begin);
    if (password.size() < 4 || password == user ||
        std::string_view("$%{<*[(]&").find(password[0]) != std::string_view::npos)
      return at;
    if (std::ranges::any_of(kNoPasswords, [&](auto word) { return same_letters(password, word); }))
      return at;
    return add(colon + 1, sign);
  }

  // NAME = VALUE and NAME: VALUE, where the name says that it is secret and the value looks so.
  size_t assigned(size_t at) {
    if (at + 16 >= text_.size() || text_[at + 1] == ':' ||
        (at > 0 && text_[at - 1] == ':' && text_[at] == ':'))
      return at;
    // The value.
    size_t value = at + 1;
    while (value < text_.size() && value - at < 8 &&
           std::string_view(" \t=:>\"'\\`").find(text_[value]) != std::string_view::npos)
      ++value;
    const size_t most = std::min(text_.size(), value + 512);
    size_t last = value;
    while (last < most && (is_in(kToken, text_[last]) || is_in(kBase64, text_[last]) ||
                           text_[last] == '.' || text_[last] == '~' || text_[last] == '!'))
      ++last;
    if (last - value < 16 || (last == most && most < text_.size())) return at;
    // A call or a member of something is code.
    const char behind = last < text_.size() ? text_[last] : '\n';
    if (behind == '(' || behind == '[' || behind == '{') return at;
    const std::string_view found = text_.substr(value, last - value);
    if (!looks_random(found)) return at;
    // The name, back from here.
    size_t end = at;
    while (end > 0 && at - end < 3 && (text_[end - 1] == ' ' || text_[end - 1] == ':')) --end;
    if (end > 0 && (text_[end - 1] == '"' || text_[end - 1] == '\'')) --end;
    if (end > 0 && text_[end - 1] == '\\') --end;
    size_t begin = end;
    while (begin > 0 && end - begin < 48 && is_in(kToken, text_[begin - 1])) --begin;
    return says_secret(text_.substr(begin, end - begin)) ? add(value, last) : at;
  }

  static bool says_secret(std::string_view name) {
    char lower[64];
    size_t size = 0;
    for (const char c : name)
      if (c != '_' && c != '-') lower[size++] = low(c);
    const std::string_view word(lower, size);
    for (const std::string_view part :
         {"secret", "token", "passw", "pwd", "apikey", "accesskey", "authkey", "accountkey",
          "privatekey", "encryptionkey", "signingkey", "credential", "masterkey", "sharedkey",
          "connectionstring", "sessionkey", "webhook"})
      if (word.find(part) != word.npos) return true;
    return false;
  }

  size_t line_end(size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

  // "-----BEGIN … PRIVATE KEY…-----" (also "---- BEGIN SSH2 …"), up to its END: of each line what
  // is base64. Lines may have numbers, marks of a diff or a comment in front, or stand escaped in
  // one.
  size_t private_key(size_t at) {
    if (at < dashes_end_) return at;
    dashes_end_ = at;
    while (dashes_end_ < text_.size() && text_[dashes_end_] == '-') ++dashes_end_;
    if (dashes_end_ - at < 4) return at;
    const std::string_view head = text_.substr(dashes_end_, 100);
    const size_t word = head.starts_with(' ') ? 1 : 0;
    if (!head.substr(word).starts_with("BEGIN ")) return at;
    const size_t close = head.find("----", word);
    if (close == head.npos) return at;
    const std::string_view label = head.substr(word, close - word);
    if (label.find("PRIVATE KEY") == label.npos || label.find('\n') != label.npos) return at;
    size_t begin = dashes_end_ + close;
    while (begin < text_.size() && text_[begin] == '-') ++begin;
    constexpr size_t kMost = 64 << 10;  // bytes of a key
    if (key_end_ < begin)
      key_end_ = std::min(text_.find("-END ", begin), text_.find("- END ", begin));
    const size_t end = std::min({key_end_, begin + kMost, text_.size()});
    const size_t stop = line_end(begin);
    if (end <= stop) return hide_runs(begin, end, 8, false);  // all of it in one line
    return hide_lines(hide_runs(begin, stop, 40, false), end);
  }

  // "Private-Lines: 14" of a PuTTY key, then as many lines.
  size_t putty(size_t at) {
    size_t count = 0;
    for (size_t i = at + 14; i < text_.size() && i < at + 24; ++i) {
      if (text_[i] >= '0' && text_[i] <= '9')
        count = count * 10 + static_cast<size_t>(text_[i] - '0');
      else if (text_[i] != ' ')
        break;
    }
    const size_t begin = line_end(at);
    size_t end = begin;
    for (size_t i = 0; i < std::min<size_t>(count, 1000) && end < text_.size(); ++i)
      end = line_end(end + 1);
    return hide_lines(begin, end);
  }

  // Hides what is base64 and at least so long between two places of one line.
  size_t hide_runs(size_t begin, size_t end, size_t least, bool goes_on) {
    for (size_t i = begin; i < end;) {
      if (!is_in(kBase64, text_[i])) {
        ++i;
        continue;
      }
      size_t from = i;
      while (i < end && is_in(kBase64, text_[i])) ++i;
      if (from > 0 && text_[from - 1] == '\\') ++from;  // "\nMII…"
      if (i < from + least) continue;
      add(from, i, goes_on);
      goes_on = true;
    }
    return end;
  }

  // The lines of a key up to `end`, behind its header lines; ends where something else stands.
  size_t hide_lines(size_t begin, size_t end) {
    const size_t known = found_.size();
    size_t headers = 0;
    for (size_t line = begin; line < end;) {
      const size_t stop = std::min(line_end(line), end);
      const std::string_view text = text_.substr(line, stop - line);
      if (const auto run = run_of_key(text)) {
        add(line + run->begin, line + run->end, found_.size() > known);
      } else if (found_.size() > known || ++headers > 12 || !is_header(text)) {
        return std::max(begin, line);
      }
      line = stop + 1;
    }
    return std::max(begin, std::min(end, text_.size()));
  }

  static bool is_letter(char c) { return low(c) >= 'a' && low(c) <= 'z'; }
  static bool is_header(std::string_view line) {
    return line.find(": ") != line.npos || std::ranges::none_of(line, is_letter);
  }

  // The base64 of a line that has nothing else but a number, a path, quotes or marks around it.
  static std::optional<LineRange> run_of_key(std::string_view line) {
    size_t begin = 0, end = 0;
    for (size_t i = 0; i < line.size();) {
      if (!is_in(kBase64, line[i])) {
        ++i;
        continue;
      }
      size_t from = i;
      while (i < line.size() && is_in(kBase64, line[i])) ++i;
      if (from > 0 && line[from - 1] == '\\') ++from;
      if (i - from > end - begin) begin = from, end = i;
    }
    if (end - begin >= 40) return LineRange{begin, end};
    if (end - begin < 4) return std::nullopt;
    size_t last = begin;  // of what stands in front
    while (last > 0 && std::string_view(" \t\"'`").find(line[last - 1]) != std::string_view::npos)
      --last;
    if (last > 0 && is_in(kWord, line[last - 1])) return std::nullopt;
    const bool is_place = last > 0 && (line[last - 1] == '|' || line[last - 1] == ':');
    if (!is_place && std::ranges::any_of(line.substr(0, begin), is_letter)) return std::nullopt;
    for (size_t i = end; i < line.size(); ++i)
      if (is_in(kWord, line[i]) && line[i - 1] != '\\') return std::nullopt;
    return LineRange{begin, end};
  }

  struct Run {
    size_t begin = 1, end = 0;
  };
  std::string_view text_;
  std::array<Run, kCharKinds> runs_;
  size_t address_end_ = 0, dashes_end_ = 0, key_end_ = 0;
  std::vector<SecretPlace> found_;
};

constexpr std::string_view kMarkerBegin = "[secret ", kMarkerEnd = " removed by bodkin]";
constexpr size_t kTag = 4;

// Nobody can tell from a marker whether a guess of the secret is right.
uint64_t tag_seed() {
  static const uint64_t kSeed = [] {
    std::random_device random;
    return (uint64_t{random()} << 32) | random();
  }();
  return kSeed;
}

std::string marker_of(std::string_view secret, uint64_t salt) {
  uint64_t hash = tag_seed() + salt * 0x9E3779B97F4A7C15u;
  for (const char c : secret) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3u;
    hash ^= hash >> 29;
  }
  hash *= 0xBF58476D1CE4E5B9u;
  hash ^= hash >> 32;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string tag;
  for (size_t i = 0; i < kTag; ++i, hash >>= 4) tag += kDigits[hash & 15];
  return std::string(kMarkerBegin) + tag + std::string(kMarkerEnd);
}

}  // namespace

std::vector<SecretPlace> find_secrets(std::string_view text) { return Scan(text).run(); }

WithoutSecrets without_secrets(std::string_view text) {
  WithoutSecrets result;
  size_t from = 0;
  for (const SecretPlace& place : find_secrets(text)) {
    const std::string_view secret = text.substr(place.begin, place.end - place.begin);
    std::string marker;
    for (uint64_t salt = 0;; ++salt) {
      marker = marker_of(secret, salt);
      const auto [known, is_new] = result.secrets.try_emplace(marker, secret);
      if (known->second == secret) break;
    }
    result.text.append(text, from, place.begin - from);
    result.text += marker;
    from = place.end;
    if (!place.goes_on) ++result.count;
  }
  result.text.append(text, from);
  return result;
}

std::string hide_secrets(std::string text) {
  if (find_secrets(text).empty()) return text;
  return without_secrets(text).text;
}

bool has_piece_of_marker(std::string_view text) {
  if (text.find("removed by bodkin]") != text.npos) return true;
  for (size_t at = text.find(kMarkerBegin); at != text.npos; at = text.find(kMarkerBegin, at + 1)) {
    const std::string_view tag = text.substr(at + kMarkerBegin.size(), kTag + 1);
    if (tag.find_first_not_of("0123456789abcdef") == kTag && tag[kTag] == ' ') return true;
  }
  return false;
}

std::map<std::string, size_t, std::less<>> markers_in(std::string_view text) {
  std::map<std::string, size_t, std::less<>> found;
  const size_t size = kMarkerBegin.size() + kTag + kMarkerEnd.size();
  for (size_t at = text.find(kMarkerBegin); at != text.npos; at = text.find(kMarkerBegin, at + 1)) {
    const std::string_view marker = text.substr(at, size);
    if (marker.ends_with(kMarkerEnd)) ++found[std::string(marker)];
  }
  return found;
}

}  // namespace bodkin
