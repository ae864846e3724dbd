#include "lsp/server/ask_arguments.h"

#include <algorithm>

#include "agent/context/mentions.h"
#include "agent/rpc/position.h"
#include "agent/rpc/uri.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin::lsp {

namespace {

// Whole lines: a selection that ends at the beginning of a line does not mean that line.
LineRange lines_of(const Range& range) {
  const bool ends_before = range.end.character == 0 && range.end.line > range.start.line;
  return {range.start.line, ends_before ? range.end.line : range.end.line + 1};
}

Result<AskRequest::Proposal> refined_by(const std::string& id, const Proposals& proposals) {
  const Proposal* proposal = proposals.find(id);
  if (!proposal) return fail(Error::Code::not_found, "No such proposal: " + id + ".");
  auto draft = draft_of(*proposal);
  if (!draft) return std::unexpected(draft.error());
  return AskRequest::Proposal{proposal->title, *std::move(draft)};
}

Result<const Document*> document_at(const std::string& uri, const Documents& documents) {
  if (!uri.starts_with("file:") && !uri.starts_with("untitled:")) {
    return fail(Error::Code::invalid_input,
                "bodkin edits files on this machine and untitled buffers, not " +
                    uri.substr(0, uri.find(':') + 1) + " documents.");
  }
  const Document* document = documents.find(uri);
  if (!document) {
    return fail(Error::Code::not_found, documents.path_of(uri) + " is not open in the editor.");
  }
  return document;
}

// The characters of a range, if they are not whole lines.
void take_characters(Selection& selection, const Text& text, const Range& range,
                     Encoding encoding) {
  const size_t begin = to_offset(text, range.start, encoding);
  const size_t end = to_offset(text, range.end, encoding);
  if (begin >= end || selection.lines.begin >= text.line_count()) return;
  const size_t first = text.line_begin(selection.lines.begin);
  const std::string before = text.substr(first, begin - first);
  const std::string next = text.substr(end, 1);
  const bool is_whole = before.find_first_not_of(" \t") == std::string::npos &&
                        (next.empty() || next == "\n" || next == "\r" || range.end.character == 0);
  if (is_whole) return;
  selection.from = begin - first;
  selection.characters = text.substr(begin, end - begin);
  std::erase(selection.characters, '\r');
}

// The selected lines; without a range, all of the document.
Result<Selection> selection_in(const Document& document, const std::optional<Range>& range,
                               Encoding encoding) {
  const size_t count = document.text.line_count();
  if (range && range->start.line > count) {
    return fail(Error::Code::invalid_input,
                "The range starts past the end of " + document.path + ".");
  }
  LineRange lines = range ? lines_of(*range) : LineRange{0, count};
  lines.end = std::min(lines.end, count);
  lines.begin = std::min(lines.begin, lines.end);
  Selection selection{document.path, lines};
  if (range) take_characters(selection, document.text, *range, encoding);
  return selection;
}

// The problems in the arguments, else those that the editor reports at their range.
std::vector<Diagnostic> problems_at(const Document& document, const Arguments& arguments,
                                    const LineRange& lines, const AskWorld& world) {
  const auto& given = arguments.diagnostics;
  auto problems = diagnostics_of(given ? *given : world.bridge.raw(arguments.uri), &document.text,
                                 world.documents.encoding());
  if (!given && arguments.range) {
    std::erase_if(problems, [&](const Diagnostic& problem) {
      return problem.lines.end <= lines.begin || problem.lines.begin >= lines.end;
    });
  }
  return problems;
}

}  // namespace

Result<Ask> ask_of(const Arguments& arguments, bool fix, const AskWorld& world) {
  AskRequest request;
  request.prompt = arguments.prompt;
  request.profile = arguments.profile;
  request.effort = arguments.effort;
  world.rules.complete(request);
  const std::string typed = request.prompt;
  const bool says_fix = take_slash_command(request, own_prompts_folder());
  for (const std::string& attached : arguments.attachments) {
    request.attachments.push_back(
        {world.documents.path_of(attached), path_of_uri(attached).value_or("")});
  }
  if (!arguments.proposal_id.empty()) {
    auto refined = refined_by(arguments.proposal_id, world.proposals);
    if (!refined) return std::unexpected(refined.error());
    request.refined = *std::move(refined);
  } else if (!arguments.uri.empty()) {
    const auto document = document_at(arguments.uri, world.documents);
    if (!document) return std::unexpected(document.error());
    auto selection = selection_in(**document, arguments.range, world.documents.encoding());
    if (!selection) return std::unexpected(selection.error());
    const bool is_about_problems = says_fix || mentions_diagnostics(request.prompt);
    if (is_about_problems && !arguments.diagnostics && !world.bridge.has_heard()) {
      request.wants_problems = true;
      if (request.prompt.empty()) request.prompt = "Find the problems here, and fix them.";
    } else if (fix || says_fix) {
      request.to_fix = problems_at(**document, arguments, selection->lines, world);
    } else if (is_about_problems) {
      Arguments whole = arguments;
      whole.range.reset();
      request.problems = problems_at(**document, whole, selection->lines, world);
    }
    const bool is_cursor = arguments.range &&
                           arguments.range->start.line == arguments.range->end.line &&
                           arguments.range->start.character == arguments.range->end.character;
    if (is_cursor) selection->lines.end = selection->lines.begin;  // nothing is selected
    request.selection = *std::move(selection);
  } else if (fix || says_fix || arguments.range) {
    return fail(Error::Code::invalid_input, "Which document? Give {\"textDocument\":{\"uri\":…}}.");
  }
  // Sessions are called what the user typed, not the command's expansion.
  const bool is_command = !says_fix && request.prompt != typed;
  auto ask = make_ask(std::move(request), own_profiles_folder());
  if (ask && ask->title.empty() && is_command) ask->title = typed.substr(0, typed.find('\n'));
  return ask;
}

}  // namespace bodkin::lsp
