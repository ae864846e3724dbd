#include "edits/place/leaves_out.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <unordered_set>

#include "edits/place/tokens.h"
#include "edits/plan/elision.h"
#include "edits/plan/paths.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

bool ends_in_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](auto end) { return text.ends_with(end); });
}

bool is_bare(std::string_view line) {
  return line.find_first_not_of(".\xE2\x80\xA6 ") == line.npos;
}

bool counts_as_code(std::string_view line) {
  return has_word(line) && !is_comment(line) && elision_in(line) == Elision::none;
}

// True if a comment is all that the line has behind the bracket that opens a body.
bool has_comment_for_body(std::string_view line) {
  const size_t open = line.find('{');
  if (open == line.npos || is_blank(line.substr(0, open))) return false;
  const std::string_view body = trimmed(line.substr(open + 1));
  return (body.starts_with("/*") && body.find("*/") + 4 >= body.size()) ||
         (body.starts_with("//") && body.ends_with('}'));
}

class Reader {
 public:
  Reader(const Hunk& hunk, const FileKind& kind, const MappedText* file)
      : lines_(hunk.lines), is_diff_(hunk.as<DiffHunk>() != nullptr), kind_(kind), file_(file) {
    for (const HunkLine& line : lines_) {
      removed_ += line.kind == Kind::removed && !is_blank(line.text);
      added_ += line.kind == Kind::added && !is_blank(line.text);
    }
  }

  bool elides(std::string_view above) {
    std::string_view last = trimmed(above);
    for (size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view text = trimmed(lines_[i].text);
      if (lines_[i].kind == Kind::removed || text.empty()) continue;
      if (lines_[i].kind == Kind::added && is_elided(i, text, last)) return true;
      last = text;
    }
    return false;
  }

 private:
  // A run of changes. All lines of a run ask for the same, and a run may be the whole file.
  struct Run {
    size_t begin = 0, end = 0, removed = 0;  // lines, also blank ones
    size_t goes = 0, comes = 0, code_that_goes = 0, code_that_comes = 0;
    size_t comments_that_go = 0, comments_that_come = 0;
  };

  bool is_elided(size_t i, std::string_view text, std::string_view last) {
    Elision elision = elision_in(text);
    const bool within = elision == Elision::none && elides_in_line(text, true);
    if (elision == Elision::none && !within && comment_that_elides(text).empty())
      return stands_for_code(i, text);
    const Run& run = run_at(i);
    // If nothing goes, nothing is lost, but a line that certainly elides is not meant.
    if (run.goes == 0 && removed_ <= added_ && elision != Elision::sure) return false;
    if (within) return run.goes > 0;
    // A comment that replaces a comment is content unless it is an elision; without dots it is not
    // one where no code goes.
    const bool has_dots = text.contains("...") || text.contains("\xE2\x80\xA6");
    if ((elision != Elision::sure || (run.code_that_goes == 0 && !has_dots)) && is_comment(text) &&
        run.comments_that_go > 0 && run.comments_that_go <= 2 * run.comments_that_come)
      return false;
    if (is_removed_line(text)) return false;
    if (is_bare(text) && (is_code(last) || (kind_.yaml && run.goes == 0))) return false;
    // The file's own words; prose about code.
    if (kind_.prose || stands_in_file(text)) elision = std::min(elision, Elision::perhaps);
    const bool loses_code = run.code_that_goes > run.code_that_comes;
    return elision == Elision::sure || (elision == Elision::likely && loses_code) ||
           (run.goes > run.comes && hunk_loses_code()) ||
           (!has_word(text) && run.removed > run.end - run.begin - run.removed);
  }

  // True if a comment, in any words, is the last of the lines that replace several more lines of
  // code, or is the only replacement of a body.
  bool stands_for_code(size_t i, std::string_view text) {
    if (kind_.prose) return false;
    if (has_comment_for_body(text))
      return run_at(i).code_that_goes >= run_at(i).code_that_comes + 2 &&
             run_at(i).comments_that_go == 0 && !is_removed_line(text);
    if (!is_comment(text)) return false;
    const Run& run = run_at(i);
    // One with a blank line above it may head what stays below it.
    const bool heads_kept_line = i > 0 && is_blank(lines_[i - 1].text) && run.end < lines_.size() &&
                                 counts_as_code(trimmed(lines_[run.end].text));
    const size_t several = heads_kept_line ? 3 : 2;
    size_t next = i + 1;
    while (next < run.end && (lines_[next].kind == Kind::removed || is_blank(lines_[next].text)))
      ++next;
    return next == run.end && run.comments_that_come == 1 && run.comments_that_go == 0 &&
           run.code_that_goes >= run.code_that_comes + several && hunk_loses_code() &&
           !is_removed_line(text) && !stands_in_file(text);
  }

  bool is_code(std::string_view last) const {
    return ((is_diff_ || kind_.prose) && removed_ == 0) ||
           (kind_.python && (is_diff_ || removed_ <= 1) &&
            ends_in_any(last, {":", "\"\"\"", "'''"}));
  }

  bool is_removed_line(std::string_view text) {
    if (old_.empty())
      for (const HunkLine& line : lines_)
        if (line.kind == Kind::removed) old_.insert(trimmed(line.text));
    return old_.contains(text);
  }

  bool stands_in_file(std::string_view text) const {
    std::vector<size_t> lines;
    return file_ && (!file_->lines_with(text, 1, lines) || !lines.empty());
  }

  const Run& run_at(size_t i) {
    if (run_.begin <= i && i < run_.end) return run_;
    run_ = {.begin = i, .end = i};
    while (run_.begin > 0 && lines_[run_.begin - 1].kind != Kind::context) --run_.begin;
    for (run_.end = run_.begin; run_.end < lines_.size() && lines_[run_.end].kind != Kind::context;
         ++run_.end) {
      const HunkLine& line = lines_[run_.end];
      const bool goes = line.kind == Kind::removed;
      const std::string_view text = trimmed(line.text);
      run_.removed += goes;
      if (!text.empty()) ++(goes ? run_.goes : run_.comes);
      if (is_comment(text)) ++(goes ? run_.comments_that_go : run_.comments_that_come);
      if (counts_as_code(text)) ++(goes ? run_.code_that_goes : run_.code_that_comes);
    }
    return run_;
  }

  bool hunk_loses_code() {
    if (loses_code_) return *loses_code_;
    long lost = 0;
    for (const HunkLine& line : lines_)
      if (line.kind != Kind::context && counts_as_code(trimmed(line.text)))
        lost += line.kind == Kind::removed ? 1 : -1;
    return *(loses_code_ = lost > 0);
  }

  const std::vector<HunkLine>& lines_;
  const bool is_diff_;
  const FileKind& kind_;
  const MappedText* file_;
  size_t removed_ = 0, added_ = 0;
  std::optional<bool> loses_code_;  // the hunk, once it is asked
  Run run_;
  std::unordered_set<std::string_view> old_;  // the lines that go, once they are asked for
};

}  // namespace

FileKind kind_of(std::string_view path) {
  const std::string_view name = last_part(path);
  const bool prose = ends_in_any(name, {".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc"});
  return {.prose = prose,
          .python = ends_in_any(name, {".py", ".pyi", ".pyx"}),
          .yaml = ends_in_any(name, {".yml", ".yaml"}),
          .needs_tabs = prose || name.find("akefile") != name.npos ||
                        ends_in_any(name, {".mk", ".mak", ".tsv", ".go"})};
}

bool leaves_out(const Hunk& hunk, std::string_view above, const FileKind& kind,
                const MappedText* file) {
  return Reader(hunk, kind, file).elides(above);
}

bool is_comment_or_prose(std::string_view line) {
  if (is_comment(line)) return true;
  return line.find(' ') != line.npos && std::ranges::all_of(line, [](char c) {
           return std::isalpha(static_cast<unsigned char>(c)) ||
                  static_cast<unsigned char>(c) >= 0x80 || is_among(c, " .,'()[]-");
         });
}

bool remark_replaces_edge(const std::vector<HunkLine>& diff) {
  constexpr size_t kMany = 5;  // lines that go, for each that comes
  for (const bool top : {true, false}) {
    std::string_view remark;
    size_t added = 0;
    std::vector<std::string_view> gone;
    for (size_t i = 0; i < diff.size(); ++i) {
      const HunkLine& line = diff[top ? i : diff.size() - 1 - i];
      if (is_blank(line.text)) continue;
      if (line.kind == Kind::context) break;
      if (line.kind == Kind::removed)
        gone.push_back(line.text);
      else if (added++ == 0)
        remark = trimmed(line.text);
    }
    if (added == 0 || gone.size() < kMany * added || !is_comment_or_prose(remark)) continue;
    // A removed line that is changed is not an elision.
    const std::vector<std::string_view> own = tokens_of(remark);
    if (std::ranges::none_of(gone, [&](std::string_view line) {
          const std::vector<std::string_view> words = tokens_of(line);
          size_t all = 0, shared = 0;
          for (const std::string_view word : own)
            if (has_word(word)) ++all, shared += std::ranges::count(words, word) > 0;
          return 2 * shared >= all;
        }))
      return true;
  }
  return false;
}

}  // namespace bodkin
