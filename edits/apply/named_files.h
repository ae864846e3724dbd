// The files that a reply names, among those that there are.
#pragma once

#include <optional>
#include <string>

#include "edits/formats/parse.h"
#include "edits/plan/paths.h"
#include "edits/plan/plan.h"

namespace bodkin {

// The options, with `files`, which must outlive them, to answer what the parser asks about files.
ParseOptions with_files(ParseOptions options, const Files& files);

// The plan with the files' own paths: none is absolute or a URI, except to a file outside, which is
// refused later; and updates that name one file in several ways ("a.py", "./src/a.py") are one.
// Nullopt if that changes nothing.
std::optional<EditPlan> with_paths_of_files(const EditPlan& plan, const Files& files);

// Why a path means no file, with those that it might mean; for the model.
std::string no_such_file(const Files& files, const std::string& path);

}  // namespace bodkin
