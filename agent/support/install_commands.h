// The commands that install what is missing, for this machine: a person types them.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// "sudo apt install ripgrep", by the package manager that is here; separated by line feeds. "":
// none is known.
std::string commands_to_install(std::string_view program);

// The commands that make a model available on this machine: "ollama pull …", with the installation
// of Ollama if that is missing.
std::string commands_for_local_model();

}  // namespace bodkin
