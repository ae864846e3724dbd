#include "lsp/cli/print_refusal.h"

#include <fmt/format.h>

#include "agent/placing/placing.h"
#include "agent/support/shown_text.h"
#include "edits/apply/explain.h"

namespace bodkin {

void print_refusal(const ApplyReport& report, std::string_view subcommand) {
  put(stderr, fmt::format("bodkin {}: {}\n\nSend this back to the model:\n{}", subcommand,
                          plain_line(reason_for_user(report)), explain(report)));
}

}  // namespace bodkin
