#include "agent/privacy.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace bodkin {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// One alternative-free pattern against one path. Backtracks only to the last star of either kind,
// so the time is at most pattern times path.
bool simple_match(std::string_view pattern, std::string_view path) {
  size_t p = 0, s = 0;
  size_t star_p = std::string_view::npos, star_s = 0;  // after "*"
  size_t glob_p = std::string_view::npos, glob_s = 0;  // after "**"
  while (s < path.size() || p < pattern.size()) {
    if (p < pattern.size()) {
      const char c = pattern[p];
      if (c == '*' && p + 1 < pattern.size() && pattern[p + 1] == '*') {
        p += 2;
        if (p < pattern.size() && pattern[p] == '/') ++p;  // "**/" also matches nothing
        glob_p = p;
        glob_s = s;
        star_p = std::string_view::npos;
        continue;
      }
      if (c == '*') {
        star_p = ++p;
        star_s = s;
        continue;
      }
      if (s < path.size()) {
        size_t next = p + 1;
        bool fits = false;
        if (c == '?') {
          fits = path[s] != '/';
        } else if (c == '[' && pattern.find(']', p + 2) != std::string_view::npos) {
          const size_t close = pattern.find(']', p + 2);
          size_t i = p + 1;
          const bool negated = pattern[i] == '!' || pattern[i] == '^';
          if (negated) ++i;
          for (; i < close; ++i) {
            if (i + 2 < close && pattern[i + 1] == '-') {
              fits |=
                  lower(pattern[i]) <= lower(path[s]) && lower(path[s]) <= lower(pattern[i + 2]);
              i += 2;
            } else {
              fits |= lower(pattern[i]) == lower(path[s]);
            }
          }
          fits = fits != negated && path[s] != '/';
          next = close + 1;
        } else if (c == '\\' && p + 1 < pattern.size()) {
          fits = lower(pattern[p + 1]) == lower(path[s]);
          next = p + 2;
        } else {
          fits = lower(c) == lower(path[s]);
        }
        if (fits) {
          p = next;
          ++s;
          continue;
        }
      }
    }
    if (star_p != std::string_view::npos && star_s < path.size() && path[star_s] != '/') {
      p = star_p;
      s = ++star_s;
    } else if (glob_p != std::string_view::npos && glob_s < path.size()) {
      p = glob_p;
      s = ++glob_s;
      star_p = std::string_view::npos;
    } else {
      return false;
    }
  }
  return true;
}

// {a,b} becomes two patterns; at most 64 in all.
std::vector<std::string> alternatives(std::string_view pattern) {
  std::vector<std::string> done, todo{std::string(pattern)};
  while (!todo.empty() && done.size() + todo.size() < 64) {
    std::string one = std::move(todo.back());
    todo.pop_back();
    const size_t open = one.find('{');
    const size_t close = open == std::string::npos ? open : one.find('}', open);
    if (close == std::string::npos) {
      done.push_back(std::move(one));
      continue;
    }
    for (size_t begin = open + 1; begin <= close;) {
      const size_t end = std::min(one.find(',', begin), close);
      todo.push_back(one.substr(0, open) + one.substr(begin, end - begin) + one.substr(close + 1));
      begin = end + 1;
    }
  }
  return done;
}

std::string_view name_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Names of files that hold secrets by convention; the public or sample ones stand in kPublic.
constexpr std::string_view kSecrets[] = {".env",
                                         ".env.*",
                                         "*.env",
                                         "*.pem",
                                         "*.key",
                                         "*.p12",
                                         "*.pfx",
                                         "*.jks",
                                         "*.keystore",
                                         "*.kdbx",
                                         "*.ppk",
                                         "id_rsa*",
                                         "id_dsa*",
                                         "id_ecdsa*",
                                         "id_ed25519*",
                                         ".netrc",
                                         "_netrc",
                                         ".npmrc",
                                         ".pypirc",
                                         ".pgpass",
                                         ".htpasswd",
                                         "credentials",
                                         "credentials.*",
                                         ".git-credentials",
                                         "secrets.*",
                                         "*.tfstate",
                                         "*.tfstate.*",
                                         "*.tfvars",
                                         ".dockercfg",
                                         ".envrc",
                                         "*service-account*.json",
                                         "*service_account*.json",
                                         "kubeconfig"};
constexpr std::string_view kSecretFolders[] = {"**/.ssh/**", "**/.gnupg/**", "**/.aws/**",
                                               "**/.docker/config.json", "**/.kube/config"};
// Source code may be called so too (credentials.py, secrets.go): code is what bodkin is for.
constexpr std::string_view kPublic[] = {
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    "*.pub",
    "{credentials,secrets}.{c,cc,cpp,h,hpp,py,ts,tsx,js,jsx,go,rs,java,kt,rb,cs,php,swift,md}"};

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  const bool whole = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  const std::string_view subject = whole ? path : name_part(path);
  return std::ranges::any_of(alternatives(pattern),
                             [&](const std::string& one) { return simple_match(one, subject); });
}

IgnoreList::IgnoreList(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) {
      line.remove_suffix(1);
    }
    if (line.empty() || line.starts_with('#')) continue;
    Rule rule;
    if (line.starts_with('!')) rule.negated = true, line.remove_prefix(1);
    if (line.ends_with('/')) rule.folder = true, line.remove_suffix(1);
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    rule.pattern = line;
    rules_.push_back(std::move(rule));
  }
}

bool IgnoreList::ignores(std::string_view path) const {
  bool result = false;
  for (const Rule& rule : rules_) {
    // Against the path and every folder above it.
    for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const bool is_folder = end != std::string_view::npos;
      const std::string_view part = path.substr(0, end);
      const std::string pattern = (rule.anchored ? "/" : "") + rule.pattern;
      if ((is_folder || !rule.folder) && glob_matches(pattern, part)) {
        result = !rule.negated;
        break;
      }
      if (!is_folder) break;
    }
  }
  return result;
}

bool is_secret(std::string_view path) {
  const auto matches = [&](std::string_view pattern) { return glob_matches(pattern, path); };
  if (std::ranges::any_of(kSecretFolders, matches)) return true;
  return std::ranges::any_of(kSecrets, matches) && !std::ranges::any_of(kPublic, matches);
}

GuardedWorkspace::GuardedWorkspace(Workspace& below, const Task& task)
    : below_(below), roots_(below.roots(task)) {
  for (const std::string& root : roots_) {
    const std::string prefix = roots_.size() > 1 ? std::string(name_part(root)) + "/" : "";
    if (auto list = below.read(prefix + ".bodkinignore", task)) {
      ignored_.emplace_back(prefix, IgnoreList(list->text.str()));
    }
  }
  if (roots_.empty()) {
    if (auto list = below.read(".bodkinignore", task)) {
      ignored_.emplace_back("", IgnoreList(list->text.str()));
    }
  }
}

bool GuardedWorkspace::is_listed(std::string_view path) const {
  if (is_secret(path)) return true;
  return std::ranges::any_of(ignored_, [&](const auto& entry) {
    return path.starts_with(entry.first) && entry.second.ignores(path.substr(entry.first.size()));
  });
}

bool GuardedWorkspace::is_private(std::string_view path) const {
  if (is_listed(path)) return true;
  // A link with an innocent name may lead to a private file.
  for (const std::string& root : roots_) {
    std::error_code error;
    std::string_view inside = path;
    const std::string prefix = roots_.size() > 1 ? std::string(name_part(root)) + "/" : "";
    if (!inside.starts_with(prefix)) continue;
    inside.remove_prefix(prefix.size());
    const auto real = std::filesystem::canonical(std::filesystem::path(root) / inside, error);
    if (error) continue;
    const auto real_root = std::filesystem::canonical(root, error);
    if (error) continue;
    if (is_listed(prefix + real.lexically_relative(real_root).generic_string())) return true;
  }
  return false;
}

Result<Snapshot> GuardedWorkspace::read(std::string_view path, const Task& task) {
  if (!is_plain_path(path)) {
    return fail(Error::Code::not_found,
                std::string(path) + " is not a path below the workspace's folder.");
  }
  if (is_private(path)) {
    return fail(Error::Code::invalid_input,
                std::string(path) +
                    " is private (.bodkinignore or the built-in list of secrets): it is never "
                    "shown to a model.");
  }
  return below_.read(path, task);
}

Result<std::vector<std::string>> GuardedWorkspace::list(std::string_view folder, size_t limit,
                                                        const Task& task) {
  auto paths = below_.list(folder, limit, task);
  if (paths) std::erase_if(*paths, [&](const std::string& path) { return is_listed(path); });
  return paths;
}

std::vector<std::string> GuardedWorkspace::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  std::erase_if(result, [&](const std::string& path) { return is_private(path); });
  return result;
}

}  // namespace bodkin
