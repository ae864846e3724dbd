// ProposalPresenter: what the person sees of proposals. Our own clients are notified; any other
// editor is shown bodkin's own diagnostics, messages and a .diff file. It shows what becomes of
// `proposals` from its construction on, and knows nothing of applying. Main thread only.
#pragma once

#include <map>
#include <set>

#include "lsp/editor/client.h"
#include "lsp/review/shown_files.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class ProposalPresenter {
 public:
  ProposalPresenter(EventLoop& loop, Connection& connection, Client& editor,
                    const Documents& documents, const Capabilities& client, Proposals& proposals);

  // Its state or its message is another: for who shows it already.
  void update(const Proposal& proposal);
  // The same, and the person must learn what its message says.
  void tell_person(const Proposal& proposal);
  // Its pending hunks, as diagnostics; the others go.
  void publish(const Proposal& proposal);
  void publish_now_or_soon(const Proposal& proposal);  // it may change again at once
  void publish_soon(const FileInFolder& file);

  // By an id, or none (Proposals::chosen). Errors, for the person: not_found, unavailable.
  Result<void> show_diff(const std::string& id);
  // A text of our own: in the editor, else as a message.
  Result<void> show_text(const std::string& name, const std::string& text);
  // What bodkin-proposal:/p1.diff and bodkin-proposal:/p1/src/a.cpp hold (LSP 3.18,
  // workspace/textDocumentContent). Error: not_found.
  Result<std::string> text_of(const std::string& uri) const;
  Json list() const;
  Result<Json> content(const std::string& id, const std::string& uri) const;

  void document_closed(const std::string& uri);

 private:
  void announce(const Proposal& proposal, bool quiet);
  void publish_file(const FileInFolder& file);

  EventLoop& loop_;
  Connection& connection_;
  Client& editor_;
  const Documents& documents_;
  const Capabilities& client_;
  Proposals& proposals_;
  // By the files' full names.
  std::set<std::string> published_;         // have diagnostics of ours
  std::map<std::string, bool> to_publish_;  // are looked at soon; true: to be published
  ShownFiles shown_;
};

}  // namespace bodkin::lsp
