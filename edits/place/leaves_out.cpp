#include "edits/place/leaves_out.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <unordered_set>

#include "edits/place/tokens.h"
#include "edits/plan/elision.h"
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

class Reader {
 public:
  Reader(const Hunk& hunk, const FileKind& kind, const MappedText* file)
      : lines_(hunk.lines), is_diff_(hunk.literal), kind_(kind), file_(file) {
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
  bool is_elided(size_t i, std::string_view text, std::string_view last) {
    const Run& run = run_at(i);
    // Where nothing goes, nothing is lost, but a line that elides beyond doubt is not meant.
    if (run.goes == 0 && removed_ <= added_ && !is_sure_elision(text)) return false;
    Elision elision = elision_in(text);
    const bool within = elision == Elision::none && elides_in_line(text, true);
    if (within || (elision == Elision::none && run.goes > run.comes &&
                   (!comment_that_elides(text).empty() || is_line_with_elision(i, text))))
      elision = Elision::perhaps;
    // A comment that takes the place of a comment is content, whatever it says but an elision.
    if (elision != Elision::sure &&
        (replaces_docstring(i) || (is_comment(text) && replaces_comment(i))))
      return false;
    // What most lines fail comes first, and what looks at all lines last.
    if (elision == Elision::none)
      return run.goes > 0 && is_last(i) && !heads_kept_line(i) && is_unexplained(text) &&
             loses_code(i) && hunk_loses_code() && !is_removed_line(text) &&
             !stands_in_file(text) && !has_known_word(text) && comment_that_elides(text).empty();
    if (is_removed_line(text)) return false;
    if (is_bare(text) && (is_code(last) || (kind_.yaml && run.goes == 0))) return false;
    if (within) return run.goes > 0;
    // A comment that goes on; the file's own words; prose about code.
    const bool goes_on = is_comment(last) && is_comment(text) && last.front() == text.front() &&
                         text.find("...") == text.npos && !is_elision(last) &&
                         !ends_in_any(last, {".", ":", "!", "?", "*/"});
    if (kind_.prose || goes_on || stands_in_file(text)) elision = Elision::perhaps;
    // Which of several lines that are alike stay, the diff does not know: what the hunk loses
    // counts. Comments that go are not rewritten where code goes with them.
    if (elision == Elision::likely) {
      const size_t goes = code(i, Kind::removed);
      return goes > code(i, Kind::added) || (goes > 0 && run.goes > run.comes + 1) ||
             hunk_loses_code();
    }
    return elision == Elision::sure || (run.goes > run.comes && hunk_loses_code()) ||
           (!has_word(text) && run.blanks_that_go > run.blanks_that_come);
  }

  // True if `text` is a removed line plus a comment that likely elides, where more code is removed.
  bool is_line_with_elision(size_t i, std::string_view text) {
    if (run_.goes == 0 || !loses_code(i)) return false;
    const std::string_view comment = comment_that_elides(text, Elision::likely);
    return !comment.empty() &&
           is_removed_line(trimmed(text.substr(0, text.size() - comment.size())));
  }

  // True if about as many comments go as come in the run of this line.
  bool replaces_comment(size_t i) {
    const Run& run = run_at(i);
    size_t goes = 0, comes = 0;
    for (size_t k = run.begin; k < run.end; ++k)
      if (is_comment(trimmed(lines_[k].text))) ++(lines_[k].kind == Kind::removed ? goes : comes);
    return goes > 0 && goes <= 2 * comes;
  }

  // True for a docstring in place of another one.
  bool replaces_docstring(size_t i) {
    const std::string_view quotes = trimmed(lines_[i].text).substr(0, 3);
    if (quotes != "\"\"\"" && quotes != "'''") return false;
    const Run& run = run_at(i);
    return std::any_of(lines_.begin() + static_cast<long>(run.begin),
                       lines_.begin() + static_cast<long>(run.end), [&](const HunkLine& line) {
                         return line.kind == Kind::removed &&
                                trimmed(line.text).starts_with(quotes);
                       });
  }

  // True for a comment that heads lines of the file: outermost, a blank line above and none below.
  bool heads_kept_line(size_t i) const {
    const auto is_outer = [](std::string_view line) {
      return has_word(line) && indentation_of(line).empty();
    };
    return i > 0 && i + 1 < lines_.size() && is_blank(lines_[i - 1].text) &&
           lines_[i + 1].kind == Kind::context && is_outer(lines_[i].text) &&
           is_outer(lines_[i + 1].text) && is_comment(lines_[i].text);
  }

  // True for the last added line of its run.
  bool is_last(size_t i) const {
    if (kind_.prose) return false;
    size_t next = i + 1;
    while (next < lines_.size() &&
           (lines_[next].kind == Kind::removed || is_blank(lines_[next].text)))
      ++next;
    return next == lines_.size() || lines_[next].kind != Kind::added;
  }

  // True if at least two fewer lines of code are added than removed.
  bool loses_code(size_t i) {
    const bool is_comment_line =
        has_word(lines_[i].text) && !counts_as_code(trimmed(lines_[i].text));
    return code(i, Kind::removed) + !is_comment_line > code(i, Kind::added) + 1;
  }

  bool occurs_as_word_in_file(std::string_view word) const {
    const auto is_letter = [](char c) {
      return c == '_' || (c & 0x80) || (c >= '0' && c <= '9') ||
             ((c | 32) >= 'a' && (c | 32) <= 'z');
    };
    const std::string_view bytes = file_->bytes();
    for (size_t at = bytes.find(word); at != bytes.npos; at = bytes.find(word, at + 1)) {
      const size_t end = at + word.size();
      if ((at == 0 || !is_letter(bytes[at - 1])) && (end == bytes.size() || !is_letter(bytes[end])))
        return true;
    }
    return false;
  }

  // True if the file contains the words of a line that has no comment marker.
  bool has_known_word(std::string_view text) const {
    if (!counts_as_code(text) || !file_) return false;
    while (!text.empty()) {
      const std::string_view word = text.substr(0, text.find(' '));
      if (occurs_as_word_in_file(word)) return true;
      text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return false;
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

  // A run of changes, and how many of its lines go and come, the blank ones apart. All lines of a
  // run ask for the same, and a run may be the whole file.
  struct Run {
    size_t begin = 0, end = 0, goes = 0, comes = 0, blanks_that_go = 0, blanks_that_come = 0;
    std::optional<size_t> code_that_goes, code_that_comes;
  };
  const Run& run_at(size_t i) {
    if (run_.begin <= i && i < run_.end) return run_;
    run_ = {.begin = i, .end = i};
    while (run_.begin > 0 && lines_[run_.begin - 1].kind != Kind::context) --run_.begin;
    for (run_.end = run_.begin; run_.end < lines_.size() && lines_[run_.end].kind != Kind::context;
         ++run_.end)
      count(lines_[run_.end]);
    return run_;
  }

  void count(const HunkLine& line) {
    const bool blank = is_blank(line.text);
    if (line.kind == Kind::removed)
      ++(blank ? run_.blanks_that_go : run_.goes);
    else
      ++(blank ? run_.blanks_that_come : run_.comes);
  }

  // Lines of code in the run round this line: neither comments nor elisions.
  size_t code(size_t i, Kind kind) {
    run_at(i);
    std::optional<size_t>& found =
        kind == Kind::removed ? run_.code_that_goes : run_.code_that_comes;
    if (found) return *found;
    found = 0;
    for (size_t k = run_.begin; k < run_.end; ++k)
      *found += lines_[k].kind == kind && counts_as_code(trimmed(lines_[k].text));
    return *found;
  }
  // The same for the whole hunk.
  bool hunk_loses_code() {
    if (loses_code_) return *loses_code_;
    long lost = 0;
    for (const HunkLine& line : lines_)
      if (line.kind != Kind::context && counts_as_code(trimmed(line.text)))
        lost += line.kind == Kind::removed ? 1 : -1;
    return *(loses_code_ = lost > 0);
  }
  static bool counts_as_code(std::string_view line) {
    return has_word(line) && !is_comment(line) && elision_in(line) == Elision::none;
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
  const std::string_view name = path.substr(path.rfind('/') + 1);
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
                  static_cast<unsigned char>(c) >= 0x80 ||
                  std::string_view(" .,'()[]-").find(c) != std::string_view::npos;
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
