// Which source the program was built of; lsp/commit.cmake writes the definition with each build.
#pragma once

namespace bodkin {

extern const char* const kCommit;  // " (4a531cca)", or "" where the source is not a git checkout

}  // namespace bodkin
