#include "agent/workspace/git_changes.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/support/encoding.h"
#include "agent/support/process.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/git_run.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using Blobs = std::map<std::string, std::string>;  // the texts, by name

constexpr size_t kMostListing = 64 << 20, kMostText = 4 << 20;  // bytes

// The first line of an output.
std::string first_line(std::string_view output) {
  return std::string(trimmed(output.substr(0, output.find('\n'))));
}

// Git in one repository, whose filters do not run either.
class OneRepository {
 public:
  OneRepository(const std::string& top, const std::stop_token& stop) : top_(top), stop_(stop) {}

  // Its output. Error: unavailable, with what it says.
  Result<std::string> run(const std::vector<std::string>& words, std::string input = "",
                          size_t most = kMostListing) const {
    ProcessRequest request = git_in(top_, top_);
    for (const std::string& filter : filters_)
      for (const char* which : {".clean=", ".smudge=", ".process=", ".required=false"})
        request.arguments.insert(request.arguments.end(), {"-c", "filter." + filter + which});
    request.arguments.insert(request.arguments.end(), words.begin(), words.end());
    request.input = std::move(input);
    request.max_output = most;
    request.timeout = 60s;
    if (!index_.empty()) request.set_variables.push_back("GIT_INDEX_FILE=" + index_);
    auto done = run_process(request, stop_);
    if (!done) return std::unexpected(done.error());
    if (done->exit_code != 0 || done->cut)
      return fail(Error::Code::unavailable,
                  "git " + words[0] + " failed" +
                      (done->cut ? std::string(": it has too much to say.")
                                 : ": " + first_line(done->errors)));
    return std::move(done->output);
  }

  Result<void> begin() {
    // All filters must be known before anything runs. "filter.lfs.clean"; the name may be empty.
    const auto names = run({"config", "--null", "--name-only", "--list"});
    if (!names) return std::unexpected(names.error());
    for (const std::string_view name : parts_of(*names)) {
      const size_t last = name.rfind('.');
      if (!name.starts_with("filter.") || last < 7) continue;
      const std::string filter(name.substr(7, last - 7));
      if (filter.contains('='))  // "-c" would take what stands before that for the name
        return fail(Error::Code::unavailable, "the filter " + shown_name(filter) +
                                                  " of git's configuration cannot be left "
                                                  "out, since its name has a \"=\".");
      filters_.insert(filter);
    }
    auto folder = run({"rev-parse", "--absolute-git-dir"});
    if (!folder) return std::unexpected(folder.error());
    // The index that a commit is made of ("git commit -a") is told to its hooks.
    std::error_code error;
    const char* const told = os::getenv("GIT_INDEX_FILE");
    const fs::path index = told ? os::weakly_canonical(fs::path(top_) / told, error) : fs::path();
    if (!index.empty() && os::equivalent(index.parent_path(), first_line(*folder), error))
      index_ = index.generic_string();
    return {};
  }

  static std::vector<std::string_view> parts_of(std::string_view output) {
    std::vector<std::string_view> parts;
    for (size_t at = 0, end; (end = output.find('\0', at)) != output.npos; at = end + 1)
      parts.push_back(output.substr(at, end - at));
    return parts;
  }

  // The blobs with these names, of which those that are too large are missing.
  Result<Blobs> blobs(const std::set<std::string>& names) const {
    Blobs found;
    std::string input;
    for (const std::string& name : names) input += name + "\n";
    const auto sizes = run({"cat-file", "--batch-check"}, input);
    if (!sizes) return std::unexpected(sizes.error());
    input.clear();
    size_t all = 0;
    for (size_t at = 0, end; (end = sizes->find('\n', at)) != sizes->npos; at = end + 1) {
      const std::string line = sizes->substr(at, end - at);  // "NAME blob 12"
      const size_t size =
          line.contains(" blob ") ? std::stoull(line.substr(line.rfind(' '))) : kMostText + 1;
      if (size > kMostText) continue;
      input += line.substr(0, line.find(' ')) + "\n";
      all += size + line.size() + 2;
    }
    const auto texts = run({"cat-file", "--batch"}, input, all + 1000);
    if (!texts) return std::unexpected(texts.error());
    for (size_t at = 0, end; (end = texts->find('\n', at)) != texts->npos;) {
      const std::string line = texts->substr(at, end - at);
      const size_t size = std::stoull(line.substr(line.rfind(' ')));
      found[line.substr(0, line.find(' '))] = texts->substr(end + 1, size);
      at = end + 1 + size + 1;
    }
    return found;
  }

 private:
  const std::string top_;
  const std::stop_token stop_;
  std::set<std::string> filters_;
  std::string index_;  // empty: its own
};

// ":100644 100644 BEFORE AFTER M", and the path behind it.
struct RawChange {
  std::string path, before, after;  // names of blobs; "": none
  bool is_text = true;              // a regular file on both sides, where there is one
  bool is_in_work_tree = false;     // there `after` is
  bool is_unmerged = false;
};
std::vector<RawChange> raw_changes(std::string_view output) {
  std::vector<RawChange> changes;
  const auto parts = OneRepository::parts_of(output);
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {
    const std::vector<std::string_view> words = split(parts[i], ' ');
    if (words.size() != 5 || words[0].size() != 7) continue;
    RawChange& change = changes.emplace_back(RawChange{.path = std::string(parts[i + 1])});
    const std::string_view old_mode = words[0].substr(1), new_mode = words[1];
    const auto is_none = [](std::string_view name) {
      return name.find_first_not_of('0') == name.npos;
    };
    const auto is_regular = [&](std::string_view mode) {
      return is_none(mode) || mode.starts_with("100");
    };
    change.is_text = is_regular(old_mode) && is_regular(new_mode);
    if (!is_none(old_mode)) change.before = words[2];
    if (!is_none(new_mode) && !is_none(words[3])) change.after = words[3];
    change.is_in_work_tree = !is_none(new_mode) && is_none(words[3]);
    change.is_unmerged = words[4] == "U";
  }
  return changes;
}

bool is_plain_text(const std::string& bytes) {
  return bytes.find('\0') == bytes.npos && is_utf8(bytes);
}

// Error: why it is passed over.
Result<ChangedFile> file_of(const RawChange& change, const Blobs& blobs, const fs::path& top) {
  const auto passed_over = [&](const char* why) {
    return fail(Error::Code::invalid_input, change.path + why);
  };
  constexpr const char* kBinary = " is binary, or no UTF-8";
  if (!change.is_text) return passed_over(" is no regular file");
  std::optional<Text> before, after;
  for (const bool is_before : {true, false}) {
    const std::string& name = is_before ? change.before : change.after;
    if (name.empty()) continue;
    const auto blob = blobs.find(name);
    if (blob == blobs.end()) return passed_over(" is larger than 4 MB, or not here");
    if (!is_plain_text(blob->second)) return passed_over(kBinary);
    (is_before ? before : after) = Text(blob->second);
  }
  if (change.is_in_work_tree) {
    const fs::path path = top / change.path;
    std::error_code error;
    const auto bytes = os::is_symlink(path, error) ? fail(Error::Code::invalid_input, "")
                                                   : read_file(path.generic_string(), kMostText);
    if (!bytes) return passed_over(" cannot be read, or is larger than 4 MB");
    if (!is_plain_text(*bytes)) return passed_over(kBinary);
    after = Text(*bytes);
  }
  return change_between(change.path, std::move(before), std::move(after));
}

}  // namespace

Result<GitChanges> changes_with_git(const std::string& top, GitSide side,
                                    const std::stop_token& stop) {
  if (top_of_repository(top) != top)
    return fail(Error::Code::unavailable, top + " is not the top of a git repository.");
  OneRepository git(top, stop);
  if (const auto begun = git.begin(); !begun) return std::unexpected(begun.error());
  std::string commit = "HEAD";
  if (!git.run({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"})) {
    auto empty_tree = git.run({"hash-object", "-t", "tree", "--stdin"});
    if (!empty_tree) return std::unexpected(empty_tree.error());
    commit = first_line(*empty_tree);
  }
  const bool is_staged = side == GitSide::staged;
  // Another repository in this one has filters of its own, which would run.
  std::vector<std::string> words = {"diff-index",   "--raw",       "-z",
                                    "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"};
  if (is_staged) words.emplace_back("--cached");
  words.insert(words.end(), {commit, "--"});
  const auto listed = git.run(words);
  if (!listed) return std::unexpected(listed.error());
  std::vector<RawChange> changes = raw_changes(*listed), unstaged;
  for (const RawChange& change : changes)
    if (is_staged && change.is_unmerged)
      return fail(Error::Code::unavailable,
                  shown_name(change.path) + " has conflicts that are not resolved.");
  if (is_staged) {
    const auto others = git.run(
        {"diff-files", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"});
    if (!others) return std::unexpected(others.error());
    unstaged = raw_changes(*others);
  } else {
    const auto others = git.run({"ls-files", "-z", "--others", "--exclude-standard"});
    if (!others) return std::unexpected(others.error());
    for (const std::string_view path : OneRepository::parts_of(*others))
      if (!path.ends_with('/'))
        changes.push_back({.path = std::string(path), .is_in_work_tree = true});
  }
  std::set<std::string> names;
  for (const auto* list : {&changes, &unstaged})
    for (const RawChange& change : *list)
      if (change.is_text)
        for (const std::string& name : {change.before, change.after})
          if (!name.empty()) names.insert(name);
  auto blobs = names.empty() ? Result<Blobs>() : git.blobs(names);
  if (!blobs) return std::unexpected(blobs.error());
  GitChanges found;
  std::set<std::string> known;
  for (const RawChange& change : changes) {
    known.insert(change.path);
    auto file = file_of(change, *blobs, top);
    if (!file)
      found.passed_over.push_back(file.error().message);
    else if (file->before != file->after)
      found.files.push_back(*std::move(file));
  }
  for (const RawChange& change : unstaged)
    if (const auto blob = blobs->find(change.before); change.is_text && blob != blobs->end() &&
                                                      !known.contains(change.path) &&
                                                      is_utf8(blob->second))
      found.unstaged[change.path] = Text(blob->second);
  return found;
}

}  // namespace bodkin
