#include "agent/loop/command_block.h"

#include <algorithm>
#include <deque>
#include <span>
#include <vector>

#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

constexpr std::string_view kShells[] = {"bash", "sh", "mswea_bash_command"};
constexpr std::string_view kPowerShell[] = {"powershell"};
constexpr std::string_view kMarkers[] = {"COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
                                         "FIX_CODE_AGENT_FINAL_OUTPUT"};

// The here-documents that a script's lines begin. It knows as much of the shell's grammar as keeps
// `<<` in quotes, comments and arithmetic apart from those.
class HereDocuments {
 public:
  bool are_open() const { return !waiting_.empty(); }

  void read(std::string_view line) {
    if (!are_open()) return scan(line);
    const HereDocument& first = waiting_.front();
    if (first.strips_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    if (line == first.end) waiting_.pop_front();
  }

 private:
  struct HereDocument {
    std::string end;
    bool strips_tabs = false;
  };

  void scan(std::string_view line) {
    for (size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      const std::string_view rest = line.substr(i);
      const char inside = nested_.empty() ? ' ' : nested_.back();
      if (inside == '\'') {
        if (c == '\'') nested_.pop_back();
      } else if (c == '\\') {
        ++i;
      } else if (inside == '(' && rest.starts_with("))")) {
        nested_.pop_back();
        ++i;
      } else if (rest.starts_with("((") || rest.starts_with("$((")) {
        nested_ += '(';  // arithmetic
        i += rest.find("((") + 1;
      } else if (rest.starts_with("$(")) {
        nested_ += '$';
        ++i;
      } else if (c == '"') {
        if (inside == '"') {
          nested_.pop_back();
        } else {
          nested_ += '"';
        }
      } else if (inside == '"' || inside == '(') {
        continue;
      } else if (c == ')' && inside == '$') {
        nested_.pop_back();
      } else if (c == '\'') {
        nested_ += '\'';
      } else if (c == '#' && (i == 0 || is_space(line[i - 1]))) {
        return;
      } else if (rest.starts_with("<<<")) {
        i += 2;
      } else if (rest.starts_with("<<")) {
        i += begin_document(rest.substr(2)) + 1;
      }
    }
  }

  // Behind "<<"; returns how much of it was read.
  size_t begin_document(std::string_view text) {
    HereDocument document;
    size_t at = 0;
    if (text.starts_with('-')) document.strips_tabs = true, ++at;
    at = std::min(text.find_first_not_of(" \t", at), text.size());
    for (char quote = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (quote != 0 ? c == quote : c == '\'' || c == '"') {
        quote = quote != 0 ? '\0' : c;
      } else if (quote == 0 && c == '\\') {
        continue;
      } else if (quote == 0 && std::string_view(" \t;&|<>()").find(c) != std::string_view::npos) {
        break;
      } else {
        document.end += c;
      }
    }
    if (!document.end.empty()) waiting_.push_back(std::move(document));
    return at;
  }

  std::deque<HereDocument> waiting_;
  std::string nested_;  // quotes, substitutions and arithmetic, the innermost last
};

// The number of backticks with which a line ends a block; 0 if it does not.
size_t closing_fence(std::string_view line) {
  line = trimmed(line);
  return line.size() >= 3 && line.find_first_not_of('`') == std::string_view::npos ? line.size()
                                                                                   : 0;
}

// The number of backticks that begin a block of one of `names` at this line's end; 0 if none do.
size_t opening_fence(std::string_view line, std::span<const std::string_view> names) {
  const size_t begin = line.find('`');
  if (begin == std::string_view::npos) return 0;
  const size_t end = line.find_first_not_of('`', begin);
  if (end == std::string_view::npos || end - begin < 3) return 0;
  const std::string name = lower_case(trimmed(line.substr(end)));
  return std::ranges::find(names, name) == names.end() ? 0 : end - begin;
}

// The line that ends the block which begins after `opening`; lines.size(): it has no end.
size_t end_of_block(const std::vector<std::string_view>& lines, size_t opening, size_t fence,
                    bool minds_documents, bool& has_open_document) {
  HereDocuments documents;
  for (size_t i = opening + 1; i < lines.size(); ++i) {
    const bool is_text = minds_documents && documents.are_open();
    if (!is_text && closing_fence(lines[i]) >= fence) {
      has_open_document = documents.are_open();
      return i;
    }
    documents.read(lines[i]);
  }
  return lines.size();
}

CommandReply read_blocks(const std::vector<std::string_view>& lines,
                         std::span<const std::string_view> names, bool is_powershell) {
  CommandReply reply;
  reply.is_powershell = is_powershell;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t fence = opening_fence(lines[i], names);
    if (fence == 0) continue;
    bool has_open_document = false;
    size_t end = end_of_block(lines, i, fence, !is_powershell, has_open_document);
    if (end == lines.size() && !is_powershell)  // a here-document without its end
      end = end_of_block(lines, i, fence, false, has_open_document);
    if (end == lines.size()) continue;
    std::string command;
    for (size_t k = i + 1; k < end; ++k) command += std::string(lines[k]) + "\n";
    command = trimmed_text(command);
    if (!command.empty() && ++reply.count == 1) {
      reply.command = std::move(command);
      for (size_t k = 0; k < i; ++k) reply.thought += std::string(lines[k]) + "\n";
      reply.thought += lines[i].substr(0, lines[i].find('`'));
      if (has_open_document && !is_powershell)
        reply.problem =
            " Its here-document has no end: if it has a line of backticks, put more of "
            "them around the block.";
    }
    i = end;
  }
  return reply;
}

}  // namespace

// Decides: what counts as a command in a reply.
CommandReply read_command_reply(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(text, Returns::dropped);
  CommandReply reply = read_blocks(lines, kPowerShell, true);
  if (reply.count == 0) reply = read_blocks(lines, kShells, false);
  std::string_view thought = trimmed_text(reply.thought);
  for (const std::string_view word : {"**THOUGHT:**", "THOUGHT:"}) {
    if (thought.starts_with(word)) thought = trimmed_text(thought.substr(word.size()));
  }
  reply.thought = std::string(thought);
  return reply;
}

std::optional<std::string> submission_in(std::string_view output) {
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    const std::string_view line = trimmed(output.substr(begin, end - begin));
    if (std::ranges::find(kMarkers, line) != std::end(kMarkers))
      return std::string(output.substr(std::min(end + 1, output.size())));
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace bodkin
