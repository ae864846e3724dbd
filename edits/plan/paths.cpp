#include "edits/plan/paths.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// "a//b" and "a/./b" are a/b, "https://a" is an address.
std::string without_empty_parts(std::string_view path) {
  if (!path.contains("//") && !path.contains("./")) return std::string(path);
  const bool begins_here = path.starts_with("./");
  std::string out;
  for (const char c : path) {
    if (c == '/' && out.empty() && begins_here) continue;  // ".//a"
    out += c;
    while ((out.ends_with("//") && !out.ends_with("://")) || out == "./" || out.ends_with("/./"))
      out.resize(out.size() - (out.ends_with("//") ? 1 : 2));
  }
  return out;
}

}  // namespace

std::string plain_path(std::string_view path) {
  while (!path.empty() && std::string_view(" \t`'\"*").find(path.front()) != std::string_view::npos)
    path.remove_prefix(1);
  while (!path.empty() && std::string_view(" \t`'\"*:").find(path.back()) != std::string_view::npos)
    path.remove_suffix(1);
  std::string slashed(path);
  std::ranges::replace(slashed, '\\', '/');
  return without_empty_parts(slashed);
}

namespace {

// The character of UTF-8 at `at`; size 1 and no code: a byte that belongs to none.
struct Character {
  size_t size = 1;
  std::optional<utf8proc_int32_t> code;
};

Character character_at(std::string_view text, size_t at) {
  utf8proc_int32_t code = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                     static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  return size > 0 ? Character{static_cast<size_t>(size), code} : Character{};
}

// A name as people mention it: "@src/b.py", "[src/b.py]", "<b.py>", "b.py,".
std::string undecorated(std::string_view path) {
  const size_t first = std::min(path.find_first_not_of("@#$[({<"), path.size());
  const size_t last = path.find_last_not_of("])}>,;.");
  return last == path.npos || last < first ? "" : plain_path(path.substr(first, last + 1 - first));
}

// The path of a diff without the "a/" or "b/" before it.
std::string without_side(const std::string& path) {
  return path.starts_with("a/") || path.starts_with("b/") ? path.substr(2) : path;
}

}  // namespace

bool is_hidden_character(uint32_t code) {
  const utf8proc_property_t* const about =
      utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
  switch (about->category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return (about->ignorable && code != 0xFE0F) || (code & 0xFFFE) == 0xFFFE || code == 0x2800 ||
             (code >= 0xFDD0 && code <= 0xFDEF);
  }
}

bool is_git_name(std::string_view part) {
  part = part.substr(0, part.find(':'));
  while (part.ends_with('.') || part.ends_with(' ')) part.remove_suffix(1);
  return is_one_of(lower_case(part), {".git", "git~1"});
}

bool is_printable(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; }) ||
         printable(name) == name;
}

std::string printable(std::string_view name) {
  std::string result;
  for (size_t at = 0; at < name.size();) {
    const Character one = character_at(name, at);
    if (!one.code) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(name[at]));
    } else if (is_hidden_character(static_cast<uint32_t>(*one.code))) {
      result += fmt::format("\\u{{{:04X}}}", static_cast<uint32_t>(*one.code));
    } else {
      result += name.substr(at, one.size);
    }
    at += one.size;
  }
  return result;
}

std::string name_key(std::string_view path) { return lower_case(composed(last_part(path))); }

std::vector<std::string> Files::paths_named(std::string_view name) const {
  std::vector<std::string> named = paths();
  std::erase_if(named,
                [key = name_key(name)](const std::string& path) { return name_key(path) != key; });
  return named;
}

// Decides: which paths are forbidden.
std::optional<std::string> forbidden(std::string_view path) {
  if (path.empty()) return "the edit names no file";
  if (!is_printable(path)) {
    return fmt::format("the name {} contains invisible characters, and such files are not edited",
                       printable(path));
  }
  if (path.starts_with('/') || (path.size() > 1 && path[1] == ':'))
    return fmt::format("{} is an absolute path, not one inside the workspace", path);
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part == "..") return fmt::format("{} leaves the workspace", path);
    if (is_git_name(part)) return fmt::format("{} is inside .git, which is not edited", path);
    if (part.size() > 1 && part[0] == '-')  // `rm *` would take it for an option
      return fmt::format("the name {} begins with a dash, and such files are not edited", part);
    at = end + 1;
  }
  return std::nullopt;
}

bool names_file(std::string_view path) {
  static constexpr std::string_view kNames[] = {
      "Makefile", "Dockerfile", "Gemfile",     "Rakefile", "LICENSE",    "README",
      "BUILD",    "WORKSPACE",  "Jenkinsfile", "Procfile", "Vagrantfile"};
  const std::string_view name = last_part(path);
  const size_t dot = name.rfind('.');
  const std::string_view extension = name.substr(dot == name.npos ? name.size() : dot + 1);
  return is_one_of(name, kNames) ||
         (!extension.empty() && extension.size() < 12 && std::ranges::all_of(extension, [](char c) {
           return (is_word_char(c) && static_cast<unsigned char>(c) < 0x80) || c == '-' || c == '+';
         }));
}

namespace {

// Without Markdown's escapes: "src/my\_file.py".
std::string unescaped_path(std::string_view written) {
  std::string path(written);
  for (size_t at = 0; (at = path.find("\\_", at)) != path.npos;) path.erase(at, 1);
  return plain_path(path);
}

}  // namespace

// Decides: which file a path means.
TargetFile target_file(const Files& files, const std::string& written, bool guess) {
  std::string path = plain_path(written);
  // Stripped characters may be part of a file's name: without them it is another file.
  if (const std::string literal = without_empty_parts(written);
      literal != path && files.read(literal))
    return {path, std::nullopt, false,
            fmt::format("{} is a file, but an edit cannot name it: blanks, quotes, '*' and ':' "
                        "around a path and backslashes in it are not taken as parts of it",
                        printable(literal))};
  auto text = files.read(path);
  if (const std::string unescaped = unescaped_path(written); unescaped != path) {
    auto other = files.read(unescaped);
    if (other && !text && guess) return {unescaped, std::move(other)};
    const auto alike =
        guess && !text ? similar_paths(files, unescaped) : std::vector<std::string>();
    if (alike.size() == 1 && similar_paths(files, path).empty())
      return {alike[0], files.read(alike[0]), true};
    if (other || (!text && written.contains('/')))
      return {path, std::nullopt, false,
              fmt::format("{} may be {} or {}: write it with '/' alone", printable(written),
                          printable(path), printable(unescaped))};
  }
  if (text) return {path, std::move(text)};
  const auto outside = [&](const Error& why) {
    return TargetFile{path, std::nullopt, false, why.message};
  };
  const std::string unprefixed = without_side(path), bare = undecorated(path);
  const bool is_prefixed = unprefixed != path;
  // The side of a diff before a path that is not one of the workspace's: "a//x/y.py", "b/../y.py".
  const std::string named = without_side(written);
  if (named != written && (named.starts_with('/') || named.starts_with("../"))) {
    const auto in = files.inside(named);
    return in ? TargetFile{*in, files.read(*in), true} : outside(in.error());
  }
  for (const std::string& each : {path, bare}) {
    const auto in = files.inside(each);
    if (!in) return outside(in.error());
    if (*in == each) continue;
    path = *in;
    if (auto text = files.read(path)) return {path, std::move(text)};
    break;
  }
  // A file of the same name elsewhere is not meant.
  if (std::string why = files.why_unreadable(path); !why.empty())
    return {path, std::nullopt, false, std::move(why)};
  if (is_prefixed)
    if (auto text = files.read(unprefixed)) return {unprefixed, std::move(text), true};
  if (bare != path)
    if (auto text = files.read(bare)) return {bare, std::move(text)};
  if (!guess) return {path, std::nullopt};
  const std::vector<std::string> alike = similar_paths(files, path);
  if (alike.size() != 1) return {path, std::nullopt};
  // "git diff --no-index" writes an absolute path without its first '/'.
  if (path.ends_with("/" + alike[0])) {
    const auto there = files.inside("/" + unprefixed);
    if (!there && there.error().code == Error::Code::invalid_input) return outside(there.error());
  }
  if (auto text = files.read(alike[0])) return {alike[0], std::move(text), true};
  return {path, std::nullopt};
}

bool is_exact_name(const Files& files, std::string_view written) {
  return files.read(without_empty_parts(written)).has_value();
}

bool is_file(const Files& files, std::string_view written) {
  const std::string path = plain_path(written);
  if (const std::string unescaped = unescaped_path(written);
      unescaped != path && files.read(unescaped))
    return true;
  const TargetFile target = target_file(files, path, true);
  if (const auto in = files.inside(path); in && *in != path && *in == target.path)
    return target.text.has_value();
  return target.text && (!forbidden(path) || points_into_workspace(path, target.path));
}

std::optional<std::string> path_differing_in_case(const Files& files, const std::string& path) {
  const std::string low = lower_case(path);
  for (std::string& other : files.paths_named(path))
    if (other != path && lower_case(other) == low) return std::move(other);
  return std::nullopt;
}

bool points_into_workspace(std::string_view written, std::string_view file) {
  if (written.size() > 2 && written[1] == ':') written.remove_prefix(2);
  if (!written.starts_with('/') || !written.ends_with(file)) return false;
  std::string_view above = written.substr(0, written.size() - file.size());
  if (above.size() < 2 || !above.ends_with('/') || forbidden(above.substr(1, above.size() - 2)))
    return false;
  above = above.substr(1, above.find('/', 1) - 1);
  // The system's own folders are not a workspace, whatever their files are called.
  static constexpr std::string_view kSystem[] = {"etc", "bin",  "sbin", "lib",  "lib64",
                                                 "dev", "proc", "sys",  "boot", "Windows"};
  return !is_one_of(above, kSystem);
}

namespace {

// Folders that tools make or bring along: a file there is often a copy of one of the project.
constexpr std::string_view kCopies[] = {"dist",          "build",      "out",         "target",
                                        "node_modules",  "vendor",     "third_party", "venv",
                                        "site-packages", "__pycache__"};

// Whether a file is in such a folder, or in a hidden one, that the path does not name.
bool is_in_copies(std::string_view file, std::string_view path) {
  if (!file.ends_with(path)) return false;
  const std::string_view above = file.substr(0, file.size() - path.size());
  for (size_t at = 0, end; (end = above.find('/', at)) != above.npos; at = end + 1) {
    const std::string_view part = above.substr(at, end - at);
    if (part.starts_with('.') || is_one_of(part, kCopies)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> similar_paths(const Files& files, const std::string& path) {
  const std::vector<std::string> named = files.paths_named(path);
  std::vector<std::string> alike = named;
  std::erase_if(alike, [&](const std::string& other) {
    return (!other.ends_with("/" + path) && !path.ends_with("/" + other)) ||
           is_in_copies(other, path);
  });
  if (alike.empty()) {
    alike = named;
    std::erase_if(alike, [low = lower_case(path)](const std::string& other) {
      return lower_case(other) != low;
    });
  }
  return alike;
}

bool may_mean(std::string_view path, std::string_view target) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (target.starts_with("./")) target.remove_prefix(2);
  return path == target || (!path.empty() && target.ends_with(path) &&
                            target[target.size() - path.size() - 1] == '/');
}

}  // namespace bodkin
