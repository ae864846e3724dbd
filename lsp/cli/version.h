// The source that the program was built from; lsp/commit.cmake writes the definition with each
// build.
#pragma once

namespace bodkin {

extern const char* const kCommit;  // " (4a531cca)", or "" where the source is not a git checkout

}  // namespace bodkin
