// The language server on standard input and output: bodkin, bodkin lsp, bodkin --stdio.
#pragma once

namespace bodkin {

// Blocks until the editor ends it. Returns the exit code: 0 after an orderly shutdown.
int serve();

}  // namespace bodkin
