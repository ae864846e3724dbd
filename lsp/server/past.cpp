#include "lsp/server/past.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMostSessions = 200;  // in a list
constexpr size_t kMostRestored = 20;   // proposals
// An editor that reloads starts the next server before it has ended the last.
constexpr int kTries = 20;
constexpr std::chrono::milliseconds kRetry{250};

// "/work/a and /work/b"
std::string in_words_of_folders(const std::string& workspace) {
  std::string words = workspace;
  for (size_t at = 0; (at = words.find('\n', at)) != words.npos;) words.replace(at, 1, " and ");
  return words.empty() ? "no folder" : plain_line(words);
}

Json json_of(const SessionRow& row, bool is_running) {
  Json result = {
      {"id", row.id},           {"title", plain_line(row.title)},
      {"created", row.created}, {"used", row.used},
      {"asks", row.asks},       {"usage", {{"input", row.input}, {"output", row.output}}},
      {"running", is_running}};
  if (row.cost) result["usage"]["costUsd"] = *row.cost;
  return result;
}

}  // namespace

void Past::serve(Router& router) {
  router.on_own_request(kListSessions, "",
                        [this](const Arguments&, Reply reply) { list(std::move(reply)); });
}

void Past::list(Reply reply) {
  const auto held = std::make_shared<Reply>(std::move(reply));
  const std::string workspace = workspace_key(documents_.roots());
  history_.read(
      [this, held, workspace](HistoryStore& store) {
        auto rows = store.sessions(&workspace, kMostSessions);
        loop_.post([this, held, rows = std::move(rows)] {
          Json sessions = Json::array();
          for (const SessionRow& row : rows)
            sessions.push_back(json_of(row, asks_.is_busy(row.id)));
          held->result({{"sessions", std::move(sessions)}});
        });
      },
      [this, held](const Error& error) { loop_.post([held, error] { held->error(error); }); });
}

void Past::find_session(const std::string& id, Then then) {
  if (id.empty() || asks_.knows(id)) return then({});
  const std::string workspace = workspace_key(documents_.roots());
  history_.read(
      [this, id, workspace, then](HistoryStore& store) {
        auto loaded = store.load_session(id);
        if (loaded && !share_folder(loaded->workspace, workspace)) {
          loaded =
              fail(Error::Code::invalid_input, "The session “" + plain_line(loaded->title) +
                                                   "” belongs to another workspace: " +
                                                   in_words_of_folders(loaded->workspace) + ".");
        }
        const auto found = std::make_shared<Result<LoadedSession>>(std::move(loaded));
        loop_.post([this, found, then] {
          if (!*found) return then(std::unexpected(found->error()));
          asks_.adopt(std::move(**found));
          then({});
        });
      },
      [this, then](const Error& error) {
        loop_.post([then, error] { then(std::unexpected(error)); });
      });
}

void Past::find_proposal(const std::string& id, Then then) {
  if (!id.empty() && proposals_.find(id)) return then({});
  const std::string workspace = workspace_key(documents_.roots());
  history_.read(
      [this, id, workspace, then](HistoryStore& store) {
        const auto row = store.load_proposal(id, workspace);
        auto loaded = row ? proposal_of(*row) : Result<Proposal>(std::unexpected(row.error()));
        if (row && !share_folder(row->workspace, workspace)) {
          loaded = fail(Error::Code::invalid_input, "The proposal " + id +
                                                        " belongs to another workspace: " +
                                                        in_words_of_folders(row->workspace) + ".");
        }
        const auto found = std::make_shared<Result<Proposal>>(std::move(loaded));
        loop_.post([this, found, then] {
          if (!*found) return then(std::unexpected(found->error()));
          if (!proposals_.find((*found)->id)) applier_.restore(std::move(**found), false);
          then({});
        });
      },
      [this, then](const Error& error) {
        loop_.post([then, error] { then(std::unexpected(error)); });
      });
}

void Past::restore_open() {
  std::error_code ignored;
  if (std::filesystem::exists(history_.path(), ignored)) restore_open(kTries);
}

void Past::restore_open(int tries) {
  const std::string workspace = workspace_key(documents_.roots());
  if (!lease_) lease_ = Lease::take(history_.path(), workspace);
  if (!lease_ && tries > 0)
    return loop_.post_after(kRetry, [this, tries] { restore_open(tries - 1); });
  if (!lease_) return;
  history_.read(
      [this, workspace](HistoryStore& store) {
        std::vector<Proposal> open;
        for (const ProposalRow& row : store.open_proposals(workspace, kMostRestored))
          if (auto proposal = proposal_of(row)) open.push_back(*std::move(proposal));
        loop_.post([this, open = std::move(open)] {
          for (const Proposal& proposal : open) {
            if (proposals_.find(proposal.id)) continue;
            applier_.restore(proposal, true);
            keep(*proposals_.find(proposal.id));
          }
        });
      },
      [](const Error&) {});  // the user has been told
}

void Past::keep(const Proposal& proposal) {
  if (proposal.state == Proposal::State::applying) return;
  if (!lease_) lease_ = Lease::take(history_.path(), workspace_key(documents_.roots()));
  const std::string session = asks_.session_of(proposal.ask_id);
  history_.write(
      proposal.bytes(),
      [proposal, session, workspace = workspace_key(documents_.roots())](HistoryStore& store) {
        store.put_proposal(row_of(proposal, session, workspace));
      });
}

}  // namespace bodkin::lsp
