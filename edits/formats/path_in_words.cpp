#include "edits/formats/path_in_words.h"

#include <algorithm>
#include <utility>

#include "edits/plan/paths.h"

namespace bodkin {
namespace {

constexpr size_t kMaxLines = 40;       // that are looked at above a block
constexpr size_t kLongestLine = 1000;  // bytes
constexpr size_t kHeadingWords = 12;

// Of new files that are only named in words; a file that exists may have any.
constexpr std::string_view kExtensions[] = {
    "c",    "h",   "cc",  "cpp", "hpp", "cs",   "java", "kt",   "swift", "dart",
    "go",   "rs",  "py",  "rb",  "js",  "jsx",  "mjs",  "ts",   "tsx",   "vue",
    "html", "css", "md",  "rst", "txt", "json", "yaml", "yml",  "toml",  "ini",
    "cfg",  "env", "xml", "sql", "sh",  "lua",  "php",  "scss", "ex",    "svelte"};

bool has_known_extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return false;
  const std::string_view extension = name.substr(dot + 1);
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

// The line with ASCII's signs for the full-width ones of Chinese and Japanese: "b.py：".
std::string with_plain_signs(std::string_view line) {
  static constexpr std::pair<std::string_view, char> kSigns[] = {
      {"\xEF\xBC\x9A", ':'}, {"\xEF\xBC\x8C", ','}, {"\xEF\xBC\x9B", ';'}, {"\xEF\xBC\x88", '('},
      {"\xEF\xBC\x89", ')'}, {"\xE3\x80\x81", ','}, {"\xE3\x80\x82", ','}, {"\xE3\x80\x8A", '"'},
      {"\xE3\x80\x8B", '"'}, {"\xE3\x80\x8C", '"'}, {"\xE3\x80\x8D", '"'}, {"\xE3\x80\x8E", '"'},
      {"\xE3\x80\x8F", '"'}, {"\xE3\x80\x90", '"'}, {"\xE3\x80\x91", '"'}, {"\xE3\x80\x80", ' '}};
  std::string plain;
  plain.reserve(line.size());
  for (size_t at = 0; at < line.size();) {
    const auto sign = std::ranges::find_if(
        kSigns, [&](const auto& each) { return line.substr(at).starts_with(each.first); });
    const bool is_sign = sign != std::end(kSigns);
    plain.push_back(is_sign ? sign->second : line[at]);
    at += is_sign ? sign->first.size() : 1;
  }
  return plain;
}

// Of a word that is written without blanks round the path in it, "修改b.py文件", the ASCII part.
std::string_view ascii_part(std::string_view word) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  std::string_view longest;
  for (size_t at = 0; at < word.size(); ++at) {
    size_t end = at;
    while (end < word.size() && is_ascii(word[end])) ++end;
    if (end - at > longest.size()) longest = word.substr(at, end - at);
    at = end;
  }
  return longest;
}

bool has_ideographs(std::string_view word) {
  return std::ranges::any_of(word, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xE3 && byte <= 0xED;  // U+3000 to U+DFFF in UTF-8
  });
}

bool is_capitals(std::string_view word) {
  return word.size() >= 3 && std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_name_char(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("._-/\\+@#~$%").find(c) != std::string_view::npos;
}

// "b.py:12", "b.py#L3", "b.py.", "./b.py," without what is not the path.
std::string_view without_location(std::string_view word) {
  if (const size_t mark = word.find("#L"); mark != word.npos) word = word.substr(0, mark);
  while (!word.empty() && std::string_view(".,;!?#@").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  while (word.starts_with('#') || word.starts_with('@')) word.remove_prefix(1);
  return word;
}

// Products and members that are spelled like files.
bool is_other_word(std::string_view word) {
  const bool product =
      word.ends_with(".js") && word.find('/') == word.npos && (word[0] >= 'A' && word[0] <= 'Z');
  return product || word.starts_with("self.") || word.starts_with("this.") ||
         word.starts_with("www.");
}

// True if the word is a path. `marked`: it is in backticks, bold or a link, or is all of the
// line.
bool names_a_file(std::string_view word, bool marked, const IsFile& is_file) {
  if (word.empty() || word.size() > 300 || word.find("://") != word.npos || word.ends_with('/'))
    return false;
  const bool may_be =
      marked || is_capitals(word) || word.find_first_of("-_/.0123456789") != word.npos;
  if (may_be && is_file && is_file(word)) return true;
  if (word.size() < 2 || is_other_word(word) || word.front() == '.') return false;
  if (has_known_extension(word)) return word.front() != '-';
  const bool name = names_file(word) && word.find('.') == word.npos;  // Makefile
  if (name) return marked || !is_file || (word != "README" && word != "LICENSE" && word != "BUILD");
  return marked && word.find('/') != word.npos && names_file(word) && word.find('.') != word.npos;
}

class Namer {
 public:
  Namer(std::string line, const IsFile& is_file) : line_(std::move(line)), is_file_(is_file) {}

  std::vector<std::string> names() {
    if (line_.size() > kLongestLine) return {};
    size_t at = 0;
    while (at < line_.size()) {
      const std::string_view rest = std::string_view(line_).substr(at);
      if (const size_t bracketed = with_brackets(at); bracketed > 0) {
        at += bracketed;
        continue;
      }
      const size_t spans = link(rest) + (rest[0] == '`' ? span(rest, "`") : 0);
      if (spans > 0) {
        at += spans;
        continue;
      }
      if (rest.starts_with("**")) bold_ = !bold_;
      size_t end = 0;
      while (end < rest.size() && is_name_char(rest[end])) ++end;
      if (end == 0) {
        ++at;
        continue;
      }
      const std::string_view word = without_location(rest.substr(0, end));
      const bool quoted = at > 0 && (line_[at - 1] == '"' || line_[at - 1] == '\'');
      const bool last = trimmed(rest.substr(end)) == ":";  // "In LICENSE:"
      const bool call = rest.substr(end).starts_with('(');
      const auto is_named = [&](std::string_view name) {
        return names_a_file(name, bold_ || quoted, is_file_) ||
               (last && is_file_ && is_file_(name));
      };
      if (const std::string_view part = without_location(ascii_part(word)); !call && is_named(word))
        add(word);
      else if (!call && has_ideographs(word) && is_named(part))
        add(part);
      at += end;
    }
    return std::move(found_);
  }

 private:
  void add(std::string_view path) {
    std::string plain = plain_path(path);
    const auto same = [&](const std::string& other) {
      return other == plain || other.ends_with("/" + plain);
    };
    if (std::ranges::any_of(found_, same)) return;
    std::erase_if(found_, [&](const std::string& other) { return plain.ends_with("/" + other); });
    found_.push_back(std::move(plain));
  }

  // "app/[slug]/page.tsx", "[id].tsx": a word with brackets that is a file. Its length, or 0.
  size_t with_brackets(size_t at) {
    const bool begins = at == 0 || std::string_view(" \t\"'*").find(line_[at - 1]) != line_.npos;
    if (!begins || !is_file_) return 0;
    const std::string_view rest = std::string_view(line_).substr(at);
    std::string_view word = rest.substr(0, rest.find_first_of(" \t\"'`*"));
    while (!word.empty() && std::string_view(".,:;!?").find(word.back()) != word.npos)
      word.remove_suffix(1);
    if (word.find_first_of("()[]{}") == word.npos || !is_file_(word)) return 0;
    add(word);
    return word.size();
  }

  // "`b.py`": what it takes; 0: none.
  size_t span(std::string_view rest, std::string_view sign) {
    const size_t close = rest.find(sign, sign.size());
    if (close == rest.npos || close == sign.size()) return 0;
    const std::string_view inner = trimmed(rest.substr(sign.size(), close - sign.size()));
    const size_t colon = inner.rfind(':');
    const bool lines = colon != inner.npos && colon > 1 &&
                       inner.find_first_not_of("0123456789-", colon + 1) == inner.npos;
    const std::string_view word = without_location(lines ? inner.substr(0, colon) : inner);
    const bool is_plain = word.find_first_of(" ()=<>{}\"") == word.npos;
    const bool is_named =
        is_plain ? names_a_file(word, true, is_file_) : is_file_ && is_file_(word);
    if (is_named) add(word);
    return close + sign.size();
  }

  // "[b.py](src/b.py)"
  size_t link(std::string_view rest) {
    if (rest[0] != '[') return 0;
    const size_t middle = rest.find("]("), close = rest.find(')', middle);
    if (middle == rest.npos || close == rest.npos || rest.find(']') != middle) return 0;
    const std::string text = cleaned_path(rest.substr(1, middle - 1));
    const std::string_view target = without_location(rest.substr(middle + 2, close - middle - 2));
    if (names_a_file(target, true, is_file_))
      add(target);
    else if (names_a_file(text, true, is_file_))
      add(text);
    return close + 1;
  }

  const std::string line_;
  const IsFile& is_file_;
  bool bold_ = false;
  std::vector<std::string> found_;
};

// A line that is a name and nothing else: of a file, whether there is one or not.
std::string standalone_name(std::string_view line, const IsFile& is_file) {
  const std::string plain = with_plain_signs(line.substr(0, kLongestLine));
  std::string_view s = trimmed(plain);
  const bool marked =
      s.starts_with('#') || s.starts_with('`') || s.starts_with("**") || s.ends_with(':');
  while (s.starts_with('#')) s.remove_prefix(1);
  const std::string name = cleaned_path(s);
  if (is_file && is_file(name)) return name;
  if (name.size() < 2 || name.find_first_of(" \t<>=(){}[],;|") != name.npos) return "";
  // Of words that are not files, those that are spelled like names: "git-x", "bin/foo".
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

bool means_same(std::string_view a, std::string_view b) {
  const auto is_end = [](std::string_view path, std::string_view end) {
    return path.ends_with(end) && path[path.size() - end.size() - 1] == '/';
  };
  return a == b || (a.size() > b.size() ? is_end(a, b) : a.size() < b.size() && is_end(b, a));
}

std::unexpected<Failure> several_files_error(size_t line, const std::vector<std::string>& names) {
  return failure(FailureKind::malformed,
                 "line " + std::to_string(line + 1) + " of the edit names " + names[0] + " and " +
                     names[1] + ", so it is not clear which file follows",
                 "write its path alone on the line "
                 "above it");
}

}  // namespace

std::vector<std::string> files_named_in(std::string_view line, const IsFile& is_file) {
  return Namer(with_plain_signs(line), is_file).names();
}

bool is_heading(std::string_view line) {
  line = trimmed(line);
  const auto words = std::ranges::count(line, ' ') + 1;
  if (words > static_cast<long>(kHeadingWords)) return false;
  return line.ends_with(':') || line.starts_with('#') || line.starts_with("**") || words <= 3;
}

// Decides: which path belongs to a block in prose.
FailureOr<std::string> path_for(const ReplyLines& reply, size_t line, std::string_view inherited,
                                const IsFile& is_file, size_t& begin) {
  size_t first = line;
  if (std::string path = path_above(reply, line, first); !path.empty()) {
    begin = first;
    return path;
  }
  begin = first;
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
      if (means_same(above, mentioned)) break;
      return several_files_error(i, {above, mentioned});
    }
    if (std::string name = standalone_name(text, is_file); !name.empty()) {
      if (nearest) begin = i;
      return name;
    }
    const std::vector<std::string> names = files_named_in(text, is_file);
    const bool decides = nearest || is_heading(text);
    nearest = false;
    if (names.empty()) continue;
    if (names.size() > 1 && decides) return several_files_error(i, names);
    if (decides) {
      mentioned = names[0];
      continue;
    }
    const auto is_inherited = [&](const std::string& name) { return means_same(name, inherited); };
    if (inherited.empty())
      return names.size() == 1 ? FailureOr<std::string>(names[0]) : several_files_error(i, names);
    if (!std::ranges::all_of(names, is_inherited))
      return several_files_error(i, {std::string(inherited) + " (of the block before)",
                                     *std::ranges::find_if_not(names, is_inherited)});
  }
  return mentioned;
}

}  // namespace bodkin
