#include "lsp/server/ask_request.h"

#include <algorithm>

#include "agent/context/profile.h"
#include "agent/models/image.h"
#include "agent/rpc/uri.h"

namespace bodkin::lsp {

namespace {

// Whole lines: a selection that ends at the beginning of a line does not mean that line.
LineRange lines_of(const Range& range) {
  const bool ends_before = range.end.character == 0 && range.end.line > range.start.line;
  return {range.start.line, ends_before ? range.end.line : range.end.line + 1};
}

}  // namespace

Result<Ask> ask_of(const Arguments& arguments, bool fix, const AskWorld& world) {
  const Documents& documents = world.documents;
  const std::string& uri = arguments.uri;
  Ask ask;
  ask.prompt = arguments.prompt;
  ask.profile =
      arguments.profile.empty() ? world.settings.text("agent.profile") : arguments.profile;
  if (ask.profile != "auto") {
    if (const auto profile = load_profile(ask.profile); !profile) {
      return std::unexpected(profile.error());
    }
  }
  for (const std::string& attached : arguments.attachments) {
    const auto file = path_of_uri(attached);
    if (file && is_image_file(*file)) {
      ask.images.emplace_back(documents.path_of(attached), *file);
    } else {
      ask.attachments.push_back(documents.path_of(attached));
    }
  }
  if (const std::string& refined = arguments.proposal_id; !refined.empty()) {
    const Proposal* proposal = world.review.find(refined);
    if (!proposal) return fail(Error::Code::not_found, "No such proposal: " + refined + ".");
    auto draft = draft_of(*proposal);
    if (!draft) return std::unexpected(draft.error());
    ask.title = proposal->title;
    for (const DraftFile& file : *draft) {
      if (file.text) ask.attachments.push_back(file.moved_to.value_or(file.path));
    }
    ask.draft = *std::move(draft);
    return ask;
  }
  if (uri.empty()) {
    if (fix || arguments.range) {
      return fail(Error::Code::invalid_input,
                  "Which document? Give {\"textDocument\":{\"uri\":…}}.");
    }
    return ask;
  }
  if (!uri.starts_with("file:") && !uri.starts_with("untitled:")) {
    return fail(Error::Code::invalid_input,
                "bodkin edits files on this machine and untitled buffers, not " +
                    uri.substr(0, uri.find(':') + 1) + " documents.");
  }
  const Document* document = documents.find(uri);
  if (!document) {
    return fail(Error::Code::not_found, documents.path_of(uri) + " is not open in the editor.");
  }
  Selection selection{document->path, {0, document->text.line_count()}};
  const auto& range = arguments.range;
  if (range && range->start.line > document->text.line_count()) {
    return fail(Error::Code::invalid_input,
                "The range starts past the end of " + document->path + ".");
  }
  if (range) selection.lines = lines_of(*range);
  selection.lines.end = std::min(selection.lines.end, document->text.line_count());
  selection.lines.begin = std::min(selection.lines.begin, selection.lines.end);
  if (fix) {
    const auto& given = arguments.diagnostics;
    ask.diagnostics = diagnostics_of(given ? *given : world.bridge.raw(uri), &document->text,
                                     documents.encoding());
    if (!given && range) {
      std::erase_if(ask.diagnostics, [&](const Diagnostic& diagnostic) {
        return diagnostic.lines.end <= selection.lines.begin ||
               diagnostic.lines.begin >= selection.lines.end;
      });
    }
    if (ask.diagnostics.empty() && ask.prompt.empty()) {
      return fail(Error::Code::not_found, "No problems to fix here.");
    }
    if (ask.prompt.empty()) {
      ask.prompt = ask.diagnostics.size() == 1 ? "Fix this problem." : "Fix these problems.";
    }
  }
  ask.selection = std::move(selection);
  return ask;
}

}  // namespace bodkin::lsp
