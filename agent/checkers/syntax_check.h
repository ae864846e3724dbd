// Checks only the syntax of a draft, if no server looks at it, or in addition to one.
#pragma once

#include <stop_token>

#include "agent/checkers/drafted_project.h"
#include "agent/checkers/findings.h"

namespace bodkin {

// By the language's own program, whose word counts where bodkin's grammar does not know the text
// either: one of the two may be older than the language, or not know the options of a shell.
// Without such a program, and without a server, by the grammar.
void check_quickly(const ChangedFile& file, const CheckRequest& request, bool has_server,
                   const std::stop_token& stop, Findings& found);

// Checks prose and data.
void check_data(const ChangedFile& file, Findings& found);

}  // namespace bodkin
