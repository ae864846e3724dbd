#include "edits/formats/path_in_words.h"

#include <algorithm>

#include "edits/plan/paths.h"

namespace bodkin {
namespace {

constexpr size_t kMostLines = 40;      // that are looked at above a block
constexpr size_t kLongestLine = 1000;  // bytes
constexpr size_t kHeadingWords = 12;

constexpr std::string_view kExtensions[] = {
    "c",     "h",     "cc",    "cpp",    "cxx",   "hpp",     "hh",         "hxx",    "mm",
    "cs",    "fs",    "vb",    "java",   "kt",    "kts",     "scala",      "groovy", "gradle",
    "swift", "dart",  "go",    "rs",     "zig",   "nim",     "py",         "pyi",    "pyx",
    "rb",    "erb",   "rake",  "js",     "jsx",   "mjs",     "cjs",        "ts",     "tsx",
    "mts",   "cts",   "vue",   "svelte", "astro", "html",    "htm",        "css",    "scss",
    "sass",  "less",  "json",  "jsonc",  "json5", "yaml",    "yml",        "toml",   "ini",
    "cfg",   "conf",  "env",   "md",     "mdx",   "rst",     "txt",        "tex",    "adoc",
    "xml",   "xsl",   "xsd",   "svg",    "sql",   "sh",      "bash",       "zsh",    "fish",
    "ps1",   "bat",   "cmd",   "lua",    "pl",    "pm",      "php",        "phtml",  "jl",
    "ex",    "exs",   "erl",   "hrl",    "hs",    "ml",      "mli",        "clj",    "cljs",
    "edn",   "el",    "lisp",  "vim",    "proto", "graphql", "gql",        "tf",     "tfvars",
    "hcl",   "nix",   "cmake", "mk",     "csv",   "tsv",     "properties", "hbs",    "pug",
    "twig",  "j2",    "tmpl",  "tpl",    "sol",   "asm",     "f90",        "cu",     "glsl",
    "bzl",   "bazel", "sbt",   "csproj", "plist", "ipynb",   "dockerfile", "dev",    "prod",
    "test",  "am",    "ac"};

bool has_known_extension(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return false;
  const std::string_view extension = name.substr(dot + 1);
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
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

// Is the word a path? `marked`: it stands in backticks, bold or a link, or is all of the line.
bool names_a_file(std::string_view word, bool marked, const IsFile& is_file) {
  if (word.size() < 2 || word.size() > 300 || word.find("://") != word.npos || word.ends_with('/'))
    return false;
  const bool may_be = marked || word.find_first_of("-_/.0123456789") != word.npos;
  const bool known = may_be && is_file && is_file(word);
  if (known) return true;
  if (is_other_word(word) || word.front() == '.') return known;
  if (has_known_extension(word)) return word.front() != '-';
  const bool name = names_file(word) && word.find('.') == word.npos;  // Makefile
  if (name) return marked || !is_file || (word != "README" && word != "LICENSE" && word != "BUILD");
  return marked && word.find('/') != word.npos && names_file(word) && word.find('.') != word.npos;
}

class Namer {
 public:
  Namer(std::string_view line, const IsFile& is_file) : line_(line), is_file_(is_file) {}

  std::vector<std::string> names() {
    if (line_.size() > kLongestLine) return {};
    size_t at = 0;
    while (at < line_.size()) {
      const std::string_view rest = line_.substr(at);
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
      const bool call = rest.substr(end).starts_with('(');
      if (!call && names_a_file(word, bold_ || quoted, is_file_)) add(word);
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

  // "`b.py`": what it takes; 0: none.
  size_t span(std::string_view rest, std::string_view sign) {
    const size_t close = rest.find(sign, sign.size());
    if (close == rest.npos || close == sign.size()) return 0;
    const std::string_view inner = trimmed(rest.substr(sign.size(), close - sign.size()));
    const size_t colon = inner.rfind(':');
    const bool lines = colon != inner.npos && colon > 1 &&
                       inner.find_first_not_of("0123456789-", colon + 1) == inner.npos;
    const std::string_view word = without_location(lines ? inner.substr(0, colon) : inner);
    if (word.find_first_of(" ()=<>{}\"") == word.npos && names_a_file(word, true, is_file_))
      add(word);
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

  const std::string_view line_;
  const IsFile& is_file_;
  bool bold_ = false;
  std::vector<std::string> found_;
};

// A line that stands above a part of the reply, as against a sentence in it.
bool is_heading(std::string_view line) {
  line = trimmed(line);
  const auto words = std::ranges::count(line, ' ') + 1;
  if (words > static_cast<long>(kHeadingWords)) return false;
  return line.ends_with(':') || line.starts_with('#') || line.starts_with("**") || words <= 3;
}

// A line that is a name and nothing else: of a file, whether there is one or not.
std::string standalone_name(std::string_view line, const IsFile& is_file) {
  std::string_view s = trimmed(line);
  const bool marked =
      s.starts_with('#') || s.starts_with('`') || s.starts_with("**") || s.ends_with(':');
  while (s.starts_with('#')) s.remove_prefix(1);
  const std::string name = cleaned_path(s);
  if (name.size() < 2 || name.find_first_of(" \t<>=(){}[],;|") != name.npos) return "";
  if (is_file && is_file(name)) return name;
  // Of words that are no file, those that are spelled as names are: "git-x", "bin/foo".
  const bool spelled =
      name.find_first_of("-_/") != name.npos && name.find_first_not_of("-_=/*.~+") != name.npos;
  return marked && spelled ? name : "";
}

std::unexpected<Error> several_files_error(size_t line, const std::vector<std::string>& names) {
  return fail(Error::Code::invalid_input,
              "malformed: line " + std::to_string(line + 1) + " of the edit names " + names[0] +
                  " and " + names[1] +
                  ", so it is not clear which file follows; write its path alone on the line "
                  "above it");
}

}  // namespace

std::vector<std::string> files_named_in(std::string_view line, const IsFile& is_file) {
  return Namer(line, is_file).names();
}

Result<std::string> path_for(const Reply& reply, size_t line, std::string_view inherited,
                             const IsFile& is_file, size_t& begin) {
  size_t first = line;
  if (std::string path = path_above(reply, line, first); !path.empty()) {
    begin = first;
    return path;
  }
  begin = first;
  bool nearest = true, own_fence = false;
  for (size_t i = line; i > 0 && line - i < kMostLines;) {
    --i;
    const std::string_view text = reply.lines[i];
    if (reply.taken[i]) break;
    if (trimmed(text).empty() || is_lone_tag(text)) continue;
    if (fence_info(text)) {
      if (!nearest || own_fence) break;
      own_fence = true;
      continue;
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
    if (decides) return names[0];
    const auto is_inherited = [&](const std::string& name) {
      return name == inherited || inherited.ends_with("/" + name) ||
             name.ends_with("/" + std::string(inherited));
    };
    if (inherited.empty())
      return names.size() == 1 ? Result<std::string>(names[0]) : several_files_error(i, names);
    if (!std::ranges::all_of(names, is_inherited))
      return several_files_error(i, {std::string(inherited) + " (of the block before)",
                                     *std::ranges::find_if_not(names, is_inherited)});
  }
  return "";
}

}  // namespace bodkin
