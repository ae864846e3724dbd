#include "agent/workspace/secrets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "agent/workspace/secret_forms.h"
#include "edits/text/text.h"

namespace bodkin {

namespace {

// The numbers of the forms that begin with a character.
constexpr size_t kMostOfOne = 40;
struct Starts {
  std::array<std::array<uint8_t, kMostOfOne>, 256> forms{};
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

// Do the first two characters begin a form? Most words are done with that.
constexpr std::array<std::array<bool, 128>, 128> kPairs = [] {
  std::array<std::array<bool, 128>, 128> pairs{};
  for (const TokenForm& form : kTokenForms)
    pairs[static_cast<size_t>(form.prefix[0])][static_cast<size_t>(form.prefix[1])] = true;
  for (const char* other : {"ey", "SG", "Ac", "Be", "be", "BE", "Ba", "ba", "BA", "ma"})
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
    digits += kind == 0, upper += kind == 1, lower += kind == 2, hex += is_token_char(kHex, c);
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
        next = std::max({address(at), bot(at), assigned(at), next});
      } else if (c == '=') {
        next = std::max({assigned(at), signature(at), password(at), next});
      } else if (c == '.') {
        next = std::max(behind_dot(at), next);
      } else if (c == '~') {
        next = std::max(client_secret(at), next);
      } else if (c == 'P' && text_.substr(at).starts_with("Private-Lines:")) {
        next = std::max(putty(at), next);
      }
      if (next == at + 1 && next < text_.size() && is_token_char(kWord, c) &&
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
    if (at == 0 || !is_token_char(kWord, text_[at - 1])) return true;
    if (at >= 2 && text_[at - 2] == '\\') return true;
    if (at >= 3 && text_[at - 3] == '%') return true;
    return at >= 6 && text_[at - 6] == '\\' && low(text_[at - 5]) == 'u';
  }

  // Where a run of such characters ends; each is looked at once, wherever one asks from.
  size_t run_end(TokenChars kind, size_t at) {
    Run& run = runs_[kind];
    if (at >= run.begin && at < run.end) return run.end;
    run.begin = run.end = at;
    while (run.end < text_.size() && is_token_char(kind, text_[run.end])) ++run.end;
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
      return add(at, end);
    }
    if (c == 'e' && text_.substr(at, 3).starts_with("eyJ")) return web_token(at);
    if (c == 'S' && text_.substr(at, 3).starts_with("SG.")) return dotted(at, 3, 16, 32);
    if (c == 'm') return netrc(at);
    if (c == 'A' && text_.substr(at, 11).starts_with("AccountKey=")) return storage_key(at + 11);
    return at;
  }

  // A token in several literals: "ghp_1234" "5678", 'ghp_1234' + '5678'. 0: it is none.
  size_t split(const TokenForm& form, size_t at, size_t body, size_t end) {
    constexpr size_t kMostPieces = 5, kMostBetween = 80;
    std::array<LineRange, kMostPieces> pieces;
    size_t count = 0, sum = end - body;
    pieces[count++] = {at, end};
    for (size_t last = end; count < kMostPieces; ++count) {
      size_t next = last, quotes = 0;
      while (next < text_.size() && next - last < kMostBetween) {
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

  // Telegram's bots: "123456789:AA…", at its colon.
  size_t bot(size_t at) {
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

  // At a dot: Discord's bots, "M…" "." six "." and 27 or more; HashiCorp's clouds, "….atlasv1.…".
  size_t behind_dot(size_t at) {
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
    const bool is_token = size >= 27 && size <= 40 &&
                          looks_secret(text_.substr(begin, at - begin)) &&
                          looks_secret(text_.substr(at + 8, size));
    return is_token ? add(begin, end) : at;
  }

  // Secrets of Azure's applications: three, a digit, "Q~", and 31 to 34, at the tilde.
  size_t client_secret(size_t at) {
    const auto fits = [this](size_t i) {
      return is_token_char(kToken, text_[i]) || text_[i] == '~' || text_[i] == '.';
    };
    if (at < 5 || text_[at - 1] != 'Q' || text_[at - 2] < '0' || text_[at - 2] > '9') return at;
    if (!fits(at - 3) || !fits(at - 4) || !fits(at - 5)) return at;
    size_t end = at + 1;
    while (end < text_.size() && end - at < 40 && fits(end)) ++end;
    return end - at >= 32 && end - at <= 35 ? add(at - 5, end) : at;
  }

  // The signature of an address that Azure has signed: "&sig=…", at its "=".
  size_t signature(size_t at) {
    if (at < 4 || text_.substr(at - 3, 3) != "sig" || is_token_char(kToken, text_[at - 4]))
      return at;
    size_t end = at + 1;
    const size_t most = std::min(text_.size(), at + 200);
    while (end < most && (is_token_char(kBase64, text_[end]) || is_token_char(kToken, text_[end]) ||
                          text_[end] == '%'))
      ++end;
    const std::string_view value = text_.substr(at + 1, end - at - 1);
    return value.size() >= 40 && looks_random(value) ? add(at + 1, end) : at;
  }

  // "Server=…;Password=…;" and "jdbc:…?user=…&password=…", at its "=": of these all passwords.
  size_t password(size_t at) {
    size_t begin = at;
    while (begin > 0 && at - begin < 9 && is_token_char(kWord, text_[begin - 1])) --begin;
    const std::string_view name = text_.substr(begin, at - begin);
    if (!same_letters(name, "password") && !same_letters(name, "pwd")) return at;
    const char before = begin > 0 ? text_[begin - 1] : '\n';
    const bool in_address = before == '&' || before == '?';
    size_t end = at + 1;
    const size_t most = std::min(text_.size(), at + 200);
    while (end<most&& static_cast<unsigned char>(text_[end])> ' ' &&
           std::string_view(";\"'`<>\\&").find(text_[end]) == std::string_view::npos)
      ++end;
    const bool in_list = before == ';' || (end < most && text_[end] == ';');
    if (!in_address && !(in_list && names_a_server(at))) return at;
    const std::string_view value = text_.substr(at + 1, end - at - 1);
    return value.size() >= 4 && !is_placeholder(value) ? add(at + 1, end) : at;
  }

  static bool is_placeholder(std::string_view value) {
    return std::string_view("$%{<*[(&.").find(value[0]) != std::string_view::npos ||
           std::ranges::any_of(kNoPasswords, [&](auto word) { return same_letters(value, word); });
  }

  // Does the line tell where to log in? Each line is looked through once.
  bool names_a_server(size_t at) {
    if (at < line_begin_ || at >= line_end_) {
      line_end_ = line_end(at);
      const size_t before = text_.rfind('\n', at);
      line_begin_ = before == text_.npos ? 0 : before + 1;
      std::string line(text_.substr(line_begin_, line_end_ - line_begin_));
      std::ranges::transform(line, line.begin(), low);
      line_names_server_ = std::ranges::any_of(
          std::initializer_list<const char*>{"server=", "host=", "data source=", "datasource=",
                                             "user id=", "uid=", "database=", "initial catalog="},
          [&](const char* word) { return line.find(word) != line.npos; });
    }
    return line_names_server_;
  }

  // "machine HOST login NAME password …", in one line or several.
  size_t netrc(size_t at) {
    if (!text_.substr(at, 8).starts_with("machine ")) return at;
    const size_t most = std::min(text_.size(), at + 1024);
    size_t next = at + 7;
    const auto word = [&] {
      while (next < most && (text_[next] == ' ' || text_[next] == '\t' || text_[next] == '\n'))
        ++next;
      const size_t begin = next;
      while (next<most&& static_cast<unsigned char>(text_[next])> ' ' && text_[next] != '"') ++next;
      return text_.substr(begin, next - begin);
    };
    word();  // the host
    bool has_login = false;
    for (int i = 0; i < 3; ++i) {
      const std::string_view key = word();
      const std::string_view value = word();
      if (key == "login" || key == "account") {
        has_login = true;
      } else if (key == "password" && has_login) {
        if (value.size() < 4 || is_placeholder(value)) return at;
        return add(next - value.size(), next);
      } else {
        return at;
      }
    }
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
      while (end < most &&
             (is_token_char(kToken, text_[end]) || is_token_char(kBase64, text_[end]) ||
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
    if (password.size() < 4 || password == user || password[0] == ']' || is_placeholder(password))
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
    while (last < most &&
           (is_token_char(kToken, text_[last]) || is_token_char(kBase64, text_[last]) ||
            text_[last] == '.' || text_[last] == '~' || text_[last] == '!'))
      ++last;
    if (last - value < 16 || (last == most && most < text_.size())) return at;
    // A call or a member of something is code.
    const char behind = last < text_.size() ? text_[last] : '\n';
    if (behind == '(' || behind == '[' || behind == '{') return at;
    const std::string_view found = text_.substr(value, last - value);
    const bool is_random = looks_random(found);
    if (!is_random && found.size() != 40) return at;
    // The name, back from here.
    size_t end = at;
    while (end > 0 && at - end < 3 && (text_[end - 1] == ' ' || text_[end - 1] == ':')) --end;
    if (end > 0 && (text_[end - 1] == '"' || text_[end - 1] == '\'')) --end;
    if (end > 0 && text_[end - 1] == '\\') --end;
    size_t begin = end;
    while (begin > 0 && end - begin < 48 && is_token_char(kToken, text_[begin - 1])) --begin;
    const std::string_view name = text_.substr(begin, end - begin);
    return says_secret(name) && (is_random || is_key_of_aws(name, found)) ? add(value, last) : at;
  }

  // These are 40 random characters, of which some by chance do not look so.
  static bool is_key_of_aws(std::string_view name, std::string_view value) {
    std::string word;
    for (const char c : name)
      if (c != '_' && c != '-') word += low(c);
    return (word.find("secretaccesskey") != word.npos || word.find("awssecret") != word.npos) &&
           std::ranges::all_of(value, [](char c) { return is_token_char(kBase64, c); }) &&
           std::ranges::any_of(value, [](char c) { return c >= 'A' && c <= 'Z'; }) &&
           std::ranges::any_of(value, is_letter) && entropy(value) > 3.5;
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
      if (!is_token_char(kBase64, text_[i])) {
        ++i;
        continue;
      }
      size_t from = i;
      while (i < end && is_token_char(kBase64, text_[i])) ++i;
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
      if (!is_token_char(kBase64, line[i])) {
        ++i;
        continue;
      }
      size_t from = i;
      while (i < line.size() && is_token_char(kBase64, line[i])) ++i;
      if (from > 0 && line[from - 1] == '\\') ++from;
      if (i - from > end - begin) begin = from, end = i;
    }
    if (end - begin >= 40) return LineRange{begin, end};
    if (end - begin < 4) return std::nullopt;
    size_t last = begin;  // of what stands in front
    while (last > 0 && std::string_view(" \t\"'`").find(line[last - 1]) != std::string_view::npos)
      --last;
    if (last > 0 && is_token_char(kWord, line[last - 1])) return std::nullopt;
    const bool is_place = last > 0 && (line[last - 1] == '|' || line[last - 1] == ':');
    if (!is_place && std::ranges::any_of(line.substr(0, begin), is_letter)) return std::nullopt;
    for (size_t i = end; i < line.size(); ++i)
      if (is_token_char(kWord, line[i]) && line[i - 1] != '\\') return std::nullopt;
    return LineRange{begin, end};
  }

  struct Run {
    size_t begin = 1, end = 0;
  };
  std::string_view text_;
  std::array<Run, kCharKinds> runs_;
  size_t address_end_ = 0, dashes_end_ = 0, key_end_ = 0;
  size_t line_begin_ = 0, line_end_ = 0;
  bool line_names_server_ = false;
  std::vector<SecretPlace> found_;
};

}  // namespace

std::vector<SecretPlace> find_secrets(std::string_view text) { return Scan(text).run(); }

}  // namespace bodkin
