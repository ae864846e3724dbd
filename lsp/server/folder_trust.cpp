#include "lsp/server/folder_trust.h"

#include "agent/support/program.h"
#include "lsp/protocol/extensions.h"
#include "lsp/workspace/settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin::lsp {

void FolderTrust::serve(Router& router) {
  router.on_notification<DidChangeTrustParams>(
      kDidChangeTrust, [this](const DidChangeTrustParams& params) -> Result<void> {
        if (!params.trusted) {
          return fail(Error::Code::invalid_input, "\"trusted\" must be true or false.");
        }
        set_by_editor(*params.trusted);
        refresh();
        return {};
      });
  router.on_command(kTrust, "", [this](const Arguments&, Reply reply) {
    const auto trusted = trust_all();
    if (!trusted) return reply.error(trusted.error());
    Json folders = Json::array();
    for (const Root& root : documents_.roots()) folders.push_back(root.folder);
    reply.result({{"trusted", trusted_},
                  {"folders", std::move(folders)},
                  {"file", config_folder() + "/settings.json"}});
  });
}

Result<void> FolderTrust::trust_all() {
  if (trust_.is_set_by_editor())
    return fail(Error::Code::unavailable,
                "The editor says which folders are trusted: trust this one there.");
  if (documents_.roots().empty()) return fail(Error::Code::unavailable, "No folder is open.");
  for (const Root& root : documents_.roots()) {
    if (trust_.covers({root})) continue;
    if (const auto done = trust_folder(root.folder); !done) return done;
    trust_.add(root.folder);
  }
  refresh();
  return {};
}

void FolderTrust::refresh() {
  const bool before = trusted_;
  for (const Root& root : documents_.roots()) never_run_from(root.folder);
  trusted_ = trust_.covers(documents_.roots());
  if (before && !trusted_ && lost) lost();
  indexer_.set_roots(documents_.roots(), trusted_);
  if (refreshed) refreshed();
}

}  // namespace bodkin::lsp
