#include "lsp/server/folder_trust.h"

#include "agent/support/program.h"
#include "lsp/protocol/extensions.h"

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
