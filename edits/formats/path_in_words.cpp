#include "edits/formats/path_in_words.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "edits/formats/lists_of_files.h"
#include "edits/plan/paths.h"

namespace bodkin {
namespace {

constexpr size_t kMaxLines = 40;       // that are looked at above a block
constexpr size_t kLongestLine = 1000;  // bytes
constexpr size_t kHeadingWords = 12;
constexpr std::string_view kWideStop = "\xE3\x80\x82";  // of Chinese and Japanese

// Extensions of new files that are only named in words; a file that exists may have any.
constexpr std::string_view kExtensions[] = {
    "c",    "h",   "cc",  "cpp", "hpp", "cs",   "java", "kt",   "swift", "dart",
    "go",   "rs",  "py",  "rb",  "js",  "jsx",  "mjs",  "ts",   "tsx",   "vue",
    "html", "css", "md",  "rst", "txt", "json", "yaml", "yml",  "toml",  "ini",
    "cfg",  "env", "xml", "sql", "sh",  "lua",  "php",  "scss", "ex",    "svelte"};

// The bytes of a name that `text` begins with; full-width signs are not part of one.
size_t name_length(std::string_view text) {
  const auto is_wide_sign = [&](size_t at) {
    const std::string_view rest = text.substr(at);
    return rest.starts_with("\xE3\x80") || rest.starts_with("\xEF\xBC") ||
           rest.starts_with("\xEF\xBD");
  };
  if (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0) == 0x80) return 0;
  size_t end = 0;
  for (;;) {
    while (end < text.size() && !is_wide_sign(end) &&
           (is_word_char(text[end]) || is_among(text[end], "._-/\\+@#~$%[]")))
      ++end;
    // "app/(admin)/page.tsx"
    const size_t close = text.substr(0, end).ends_with('/') && text.substr(end).starts_with('(')
                             ? text.find_first_of(" )", end)
                             : text.npos;
    if (close == text.npos || !text.substr(close).starts_with(")/")) return end;
    end = close + 1;
  }
}

// The ASCII part of a word written without blanks around the path in it, "修改b.py文件".
std::string_view ascii_part(std::string_view word) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  std::string_view longest;
  for (auto at = word.begin(); at != word.end();) {
    const auto end = std::find_if_not(at, word.end(), is_ascii);
    if (static_cast<size_t>(end - at) > longest.size()) longest = {at, end};
    at = std::find_if(end, word.end(), is_ascii);
  }
  return longest;
}

// "b.py#L3", "b.py:3-9", "b.py.", "@b.py", "[b.py]" without the parts that are not the path.
std::string_view without_location(std::string_view word) {
  word = word.substr(0, word.find("#L"));
  const size_t colon = word.rfind(':');
  if (colon != word.npos && word.find_first_not_of("0123456789-", colon + 1) == word.npos)
    word = word.substr(0, colon);
  while (!word.empty() && is_among(word.back(), ".,;!?#@")) word.remove_suffix(1);
  while (word.starts_with('#') || word.starts_with('@')) word.remove_prefix(1);
  const size_t open = word.find('['), close = word.find(']');
  if (word.starts_with('[') && (close == word.npos || close + 1 == word.size()))
    word = word.substr(1, std::min(close, word.size()) - 1);
  if (word.ends_with(']') && open == word.npos) word.remove_suffix(1);
  return word;
}

// True if the word is a path. `marked`: it is in backticks.
bool names_a_file(std::string_view word, bool marked, const IsFile& is_file) {
  if (word.size() < 2 && !marked) return false;
  const bool is_capitals =
      word.size() > 2 && std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (is_file && (marked || is_capitals || word.find_first_of("-_/.0123456789") != word.npos) &&
      is_file(word))
    return true;
  // "Node.js" is a product.
  if (word.size() < 2 || word.front() == '.' || word.front() == '-' || word.contains("://") ||
      (word.ends_with(".js") && !word.contains('/') && word[0] >= 'A' && word[0] <= 'Z'))
    return false;
  if (has_known_extension(word)) return true;
  // "Makefile"; "README" and the like are words, too.
  const bool is_word = is_one_of(word, {"README", "LICENSE", "BUILD", "WORKSPACE"});
  return names_file(word) &&
         (word.contains('.') ? marked && word.contains('/') : marked || !is_word);
}

// The names that are in a line, as they come.
class Namer {
 public:
  Namer(std::string_view line, const IsFile& is_file) : line_(line), is_file_(is_file) {}

  std::vector<std::string> names() {
    for (size_t at = 0; at < line_.size() && line_.size() <= kLongestLine;) {
      const std::string_view rest = line_.substr(at);
      const size_t close = rest[0] == '`' ? rest.find('`', 1) : rest.npos;
      const size_t end = close != rest.npos ? close + 1 : std::max(name_length(rest), size_t{1});
      if (close != rest.npos)
        add_span(trimmed(rest.substr(1, close - 1)));
      else if (name_length(rest) > 0 && !(at > 0 && line_[at - 1] == ')'))
        add_word(rest.substr(0, end), rest.substr(end));
      at += end;
    }
    return std::move(found_);
  }

 private:
  void add(std::string_view path) {
    // "\_" may be an escape: which, the files say (plan/paths.h).
    std::string plain = path.contains("\\_") ? std::string(path) : plain_path(path);
    const auto same = [&](const std::string& other) {
      return other == plain || other.ends_with("/" + plain);
    };
    if (std::ranges::any_of(found_, same)) return;
    std::erase_if(found_, [&](const std::string& other) { return plain.ends_with("/" + other); });
    found_.push_back(std::move(plain));
  }

  void add_span(std::string_view inner) {
    const std::string_view word = without_location(inner);
    const bool is_plain = word.find_first_of(" ()=<>{}\"") == word.npos;
    if (is_plain ? names_a_file(word, true, is_file_) : is_file_ && is_file_(word)) add(word);
  }

  void add_word(std::string_view written, std::string_view behind) {
    std::string_view word = without_location(written);
    const bool has_ideographs =
        std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
    if (has_ideographs && !(is_file_ && is_file_(word))) word = without_location(ascii_part(word));
    const std::string_view after = trimmed(behind);
    const bool is_last = after == ":" || after == kWideColon;  // "In LICENSE:"
    // In quotes, in bold, as a link's target.
    const bool is_marked =
        behind.starts_with('"') || behind.starts_with('\'') || behind.starts_with('*') ||
        behind.starts_with("\xE3\x80") ||
        (behind.starts_with(')') && line_.data() < written.data() && written.data()[-1] == '(');
    if (!behind.starts_with('(') &&
        (names_a_file(word, is_marked, is_file_) || (is_last && is_file_ && is_file_(word))))
      add(word);
  }

  const std::string_view line_;
  const IsFile& is_file_;
  std::vector<std::string> found_;
};

// The name of a file, existing or not, in a line that says nothing else.
std::string standalone_name(std::string_view line, const IsFile& is_file) {
  std::string_view s = trimmed(line.substr(0, kLongestLine));
  const bool has_wide_colon = s.ends_with(kWideColon);
  if (has_wide_colon) s.remove_suffix(kWideColon.size());
  const bool marked = has_wide_colon || s.starts_with('#') || s.starts_with('`') ||
                      s.starts_with("**") || s.ends_with(':');
  while (s.starts_with('#')) s.remove_prefix(1);
  const std::string name = cleaned_path(s);
  if (is_file && is_file(name)) return name;
  if (name.size() < 2 || name.find_first_of(" \t<>=(){}[],;|") != name.npos) return "";
  // A word that is not a file counts if it is spelled like a name: "git-x", "bin/foo".
  const bool spelled =
      name.find_first_of("-_/") != name.npos && name.find_first_not_of("-_=/*.~+") != name.npos;
  return marked && spelled ? name : "";
}

// The path of a line that is one, or of a heading that names no other file; else empty.
std::string path_in_heading(std::string_view line, const IsFile& is_file) {
  if (std::string path = path_in_line(line); !path.empty()) return path;
  if (std::string name = standalone_name(line, is_file); !name.empty()) return name;
  if (!is_heading(line)) return "";
  std::vector<std::string> names = files_named_in(line, is_file);
  return names.size() == 1 ? std::move(names[0]) : "";
}

// "`a.py` needs no change."
bool denies(std::string_view line) {
  constexpr std::string_view kWords[] = {"no",      "not",     "t",         "stay",
                                         "stays",   "fine",    "unchanged", "keep",
                                         "already", "nothing", "never",     "untouched"};
  return std::ranges::any_of(words_of_talk(talk_of(line)),
                             [&](const auto& word) { return is_one_of(word, kWords); });
}

// True for a sentence about the file that does not lead to what follows: "`a.py` needs no change."
bool is_about(std::string_view line, std::string_view name) {
  line = trimmed(line);
  while (!line.empty() && is_among(line.front(), "`*\"'")) line.remove_prefix(1);
  if (!line.starts_with(name) || line.ends_with(':') || line.ends_with(kWideColon)) return false;
  line.remove_prefix(name.size());
  while (!line.empty() && is_among(line.front(), "`*\"'")) line.remove_prefix(1);
  return line.size() > 1 && line[0] == ' ' && line[1] >= 'a' && line[1] <= 'z';
}

}  // namespace

std::string talk_of(std::string_view line) {
  std::string talk = lower_case(line);
  for (size_t open = 0, close; (open = talk.find('`', open)) != talk.npos &&
                               (close = talk.find('`', open + 1)) != talk.npos;)
    talk.replace(open, close + 1 - open, " ");
  constexpr std::string_view kApostrophe = "\xE2\x80\x99";
  for (size_t at = 0; (at = talk.find(kApostrophe, at)) != talk.npos;)
    talk.replace(at, kApostrophe.size(), "'");
  return talk;
}

std::vector<std::string> words_of_talk(std::string_view talk) {
  std::vector<std::string> words;
  while (!talk.empty()) {
    const std::string_view word = first_word(talk);
    if (!word.empty()) words.emplace_back(word);
    talk.remove_prefix(std::max(word.size(), size_t{1}));
  }
  return words;
}

bool has_known_extension(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot != path.npos && is_one_of(path.substr(dot + 1), kExtensions);
}

std::vector<std::string> files_named_in(std::string_view line, const IsFile& is_file) {
  return Namer(line, is_file).names();
}

std::unexpected<Failure> several_files_error(size_t line, const std::vector<std::string>& names) {
  return failure(FailureKind::malformed,
                 "line " + std::to_string(line + 1) + " of the edit names " + names[0] + " and " +
                     names[1] + ", so it is not clear which file follows",
                 "write its path alone on the line above it");
}

bool is_heading(std::string_view line) {
  line = trimmed(line);
  const auto words = std::ranges::count(line, ' ') + 1;
  if (words > static_cast<long>(kHeadingWords)) return false;
  return line.ends_with(':') || line.ends_with(kWideColon) || line.starts_with('#') ||
         line.starts_with("**") ||
         (words <= 3 && !line.ends_with('.') && !line.ends_with(kWideStop));
}

// Decides: which path belongs to a block in prose.
FailureOr<std::string> path_for(const ReplyLines& reply, size_t line, std::string_view inherited,
                                const IsFile& is_file, size_t& begin) {
  if (std::string path = path_above(reply, line, begin); !path.empty()) {
    const auto other = item_above(reply, begin, path, is_file);
    return other.empty() ? FailureOr<std::string>(std::move(path))
                         : several_files_error(begin, {other, path});
  }
  const auto is_inherited = [&](const std::string& name) {
    return may_mean(name, inherited) || may_mean(inherited, name);
  };
  bool nearest = true, own_fence = false;
  std::string mentioned;  // by the line that is nearest, which is not the path alone
  for (size_t i = line; i > 0 && line - i < kMaxLines;) {
    --i;
    const std::string_view text = reply.lines[i];
    if (reply.taken[i]) break;
    if (trimmed(text).empty() || is_lone_tag(text)) continue;
    if (fence_info(text)) {
      if (!nearest || own_fence) break;
      own_fence = true;
      continue;
    }
    if (!mentioned.empty()) {
      std::string above = path_in_heading(text, is_file);
      if (above.empty()) continue;
      if (may_mean(above, mentioned) || may_mean(mentioned, above)) break;
      return several_files_error(i, {above, mentioned});
    }
    if (std::string name = standalone_name(text, is_file); !name.empty()) {
      if (const auto other = item_above(reply, i, name, is_file); !other.empty())
        return several_files_error(i, {other, name});
      if (nearest) begin = i;
      return name;
    }
    const std::vector<std::string> names = files_named_in(text, is_file);
    const bool decides = nearest || is_heading(text);
    nearest = false;
    if (names.empty()) continue;
    if (names.size() > 1 && decides) return several_files_error(i, names);
    if (decides) {
      if (is_about(text, names[0]) && (inherited.empty() ? denies(text) : !is_inherited(names[0])))
        return failure_at("the sentence", i,
                          "says something about " + names[0] +
                              ", but not that the block below it is for that file",
                          "write its path alone on the line above it");
      if (const auto other = item_above(reply, i, names[0], is_file); !other.empty())
        return several_files_error(i, {other, names[0]});
      mentioned = names[0];
      continue;
    }
    if (inherited.empty())
      return names.size() == 1 ? FailureOr<std::string>(names[0]) : several_files_error(i, names);
    if (!std::ranges::all_of(names, is_inherited))
      return several_files_error(i, {std::string(inherited) + " (of the block before)",
                                     *std::ranges::find_if_not(names, is_inherited)});
  }
  return mentioned;
}

}  // namespace bodkin
