#include "lsp/cli/continued.h"

namespace bodkin {

struct WhenContinued::Before {};

WhenContinued::WhenContinued(void (*)(int)) {}
WhenContinued::~WhenContinued() = default;

}  // namespace bodkin
