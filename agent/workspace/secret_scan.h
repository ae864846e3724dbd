// SecretScan: one pass over a text that finds secrets by their form (agent/workspace/secrets.h).
// Each function examines one place and returns where the scan continues: after the secret that it
// added, or at the place itself if there is none. Only for secrets.cpp and the files named below.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "agent/workspace/secret_forms.h"
#include "agent/workspace/secrets.h"
#include "edits/text/text.h"

namespace bodkin {

class SecretScan {
 public:
  explicit SecretScan(std::string_view text) : text_(text) {}
  std::vector<SecretPlace> run();

 private:
  // Whether a word begins here, which may follow "\n" in a string or "%3D" in a URL.
  bool begins(size_t at) const {
    if (at == 0 || !is_token_char(kWord, text_[at - 1])) return true;
    if (at >= 2 && text_[at - 2] == '\\') return true;
    if (at >= 3 && text_[at - 3] == '%') return true;
    return at >= 6 && text_[at - 6] == '\\' && low(text_[at - 5]) == 'u';
  }

  // The end of the run of such characters around `at`. Each run is scanned only once.
  size_t run_end(TokenChars kind, size_t at) {
    Run& run = runs_[kind];
    if (at >= run.begin && at < run.end) return run.end;
    run.begin = run.end = at;
    while (run.end < text_.size() && is_token_char(kind, text_[run.end])) ++run.end;
    return run.end;
  }

  size_t add(size_t begin, size_t end, bool is_continuation = false) {
    if (end <= begin) return begin;
    if (!found_.empty() && begin < found_.back().end) begin = found_.back().end;
    if (begin < end) found_.push_back({begin, end, is_continuation});
    return end;
  }
  size_t line_end(size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

  // secret_tokens.cpp: tokens of well-known services
  size_t token(size_t at);
  // A token split into literals: "ghp_1234" "5678", 'ghp_1234' + '5678'. 0: it is not.
  size_t split(const TokenForm& form, size_t at, size_t body, size_t end);
  // Tokens of Telegram bots, "123456789:AA…", at the colon.
  size_t bot(size_t at);
  // At a dot: Discord's bots, "M…" "." six "." and 27 or more; HashiCorp's clouds, "….atlasv1.…".
  size_t behind_dot(size_t at);
  // Secrets of Azure applications: three characters, a digit, "Q~", and 31 to 34, at the tilde.
  size_t client_secret(size_t at);
  // The signature of a URL signed by Azure, "&sig=…", at the "=".
  size_t signature(size_t at);
  // JSON Web Tokens: three parts, of which the first two are JSON objects.
  size_t web_token(size_t at);
  // prefix PART "." PART
  size_t dotted(size_t at, size_t prefix, size_t least, size_t least_last);
  size_t storage_key(size_t at);
  // Asana's "1/" 16 digits ":" 32 hexadecimal ones, and DeepL's "UUID:fx", at the colon.
  size_t around_colon(size_t at);
  // MaxMind's "six_29_mmk" and ngrok's "2" 26 "_" 21, at the last underscore.
  size_t around_underscore(size_t at);
  // Keys of Mailchimp, 32 hexadecimal digits and "-us12", at the dash.
  size_t mailchimp(size_t at);

  // secret_passwords.cpp: credentials in addresses, headers and connection strings
  // "Server=…;Password=…;" and "jdbc:…?user=…&password=…", at the "=": any password counts.
  size_t password(size_t at);
  // Whether the line is a connection string. Each line is searched only once.
  bool names_a_server(size_t at);
  // .netrc: "machine HOST login NAME password …", on one line or several.
  size_t netrc(size_t at);
  // "Bearer …" and "Basic …", as in a header.
  size_t bearer(size_t at);
  // "://user:password@", at the first colon.
  size_t address(size_t at);
  // secret_commands.cpp: passwords in the arguments of commands
  // "mysql -pX", "sshpass -p X" and "--token X", at the first dash.
  size_t option(size_t at);
  // Whether a word of the command before a place is the program.
  bool calls(size_t at, std::string_view program) const;
  // The argument that begins at a place, without its quotes.
  LineRange argument(size_t at) const;

  // secret_assigned.cpp: values that are called a password or key
  // NAME = VALUE, NAME: VALUE, <NAME>VALUE< and ("NAME", "VALUE"), at the sign between, if the name
  // says "secret" and the value looks random.
  size_t assigned(size_t at);
  struct Called {
    std::string_view name;    // empty: the value has none
    size_t begin = 0;         // of the text before the value
    bool is_literal = false;  // whether no expression can be there
  };
  Called called_at(size_t at) const;
  // Values with signs, which no token has: "aB3$x!9Z…". The end of one; `value` if it is none.
  size_t with_signs(std::string_view name, size_t value);
  // The end of the quoted value of such a name: Django's SECRET_KEY may have any character.
  size_t quoted_key(std::string_view name, size_t value);
  // "auth" of Docker: base64 of "user:password".
  static bool is_login(std::string_view name, std::string_view value);
  // Shorter and less random, but called a key as variables of the environment are: "X_API_KEY".
  // Others must be literals.
  static bool is_short_key(std::string_view name, std::string_view value, bool is_literal);
  bool is_literal(size_t name, size_t value, size_t end) const;
  // These have 40 random characters, and some by chance do not look random.
  static bool is_key_of_aws(std::string_view name, std::string_view value);
  static bool says_secret(std::string_view name);
  static bool is_placeholder(std::string_view value);
  static bool looks_secret(std::string_view value);
  static char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
  // The number of characters of each kind, and of changes between kinds.
  struct Kinds {
    size_t digits = 0, upper = 0, small = 0, changes = 0;
  };
  static Kinds kinds_in(std::string_view text);
  static char kind_of(char c) {
    return c >= '0' && c <= '9' ? '0' : c >= 'A' && c <= 'Z' ? 'A' : is_letter(c) ? 'a' : '-';
  }
  static bool is_letter(char c) { return low(c) >= 'a' && low(c) <= 'z'; }
  static bool equals_ignoring_case(std::string_view text, std::string_view lower);
  // Bits per character; a random text of 20 characters has 3.5 and more, words have fewer.
  static double entropy(std::string_view text);
  // Whether a machine made it. Words, paths, names and numbers are not random.
  static bool looks_random(std::string_view value);
  // Whether letters of one kind follow each other as in names: "train_split_v2", "MyHandler".
  static bool reads_as_words(std::string_view value);

  // secret_keys.cpp: private keys "-----BEGIN … PRIVATE KEY…-----" (also "---- BEGIN SSH2 …"), up
  // to its END: the base64 of each line. Lines may begin with numbers, marks of a diff or a
  // comment, or be escaped in one line.
  size_t private_key(size_t at);
  // "Private-Lines: 14" of a PuTTY key, then that many lines.
  size_t putty(size_t at);
  // Lines of a key whose BEGIN is not there, as a search finds them.
  void lines_of_keys();
  // Adds the base64 of at least `least` characters between two places of one line.
  size_t hide_runs(size_t begin, size_t end, size_t least, bool is_continuation);
  // Adds the lines of a key up to `end`, after its header lines; ends at anything else.
  size_t hide_lines(size_t begin, size_t end);
  static bool is_header(std::string_view line);
  // The base64 of a line that has only a number, a path, quotes or marks around it.
  static std::optional<LineRange> run_of_key(std::string_view line);

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

}  // namespace bodkin
