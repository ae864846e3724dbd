// ProposalPresenter: shows proposals to the user. Our own clients are notified; any other editor is
// shown bodkin's own diagnostics, messages and a .diff file. It follows `proposals` from its
// construction on, and knows nothing of applying. Main thread only.
#pragma once

#include <functional>
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

  // Called for each new proposal, and whenever its state or message has changed.
  std::function<void(const Proposal&)> updated;

  // Its state or message has changed: updates where it is already shown.
  void update(const Proposal& proposal);
  // The same, and makes sure that the user sees its message.
  void notify_user(const Proposal& proposal);
  // Shows its pending hunks as diagnostics, and removes those of the others.
  void publish(const Proposal& proposal);
  void publish_now_or_soon(const Proposal& proposal);  // it may change again immediately
  void publish_soon(const FileInFolder& file);

  // By id, or without one (Proposals::chosen). Errors, for the user: not_found, unavailable.
  Result<void> show_diff(const std::string& id);
  // Shows a text of ours: in the editor, else as a message.
  Result<void> show_text(const std::string& name, const std::string& text);
  // The content of bodkin-proposal:/p1.diff and bodkin-proposal:/p1/src/a.cpp (LSP 3.18,
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
  std::set<std::string> published_;         // those with diagnostics of ours
  std::map<std::string, bool> to_publish_;  // checked soon; true: publish them
  ShownFiles shown_;
};

}  // namespace bodkin::lsp
