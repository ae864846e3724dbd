// A test program whose parts start this same program as a sandbox's launcher. Its home is empty, so
// that nothing depends on what is in the person's.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "agent/sandbox/sandbox.h"

int main(int argc, char** argv) {
  if (int code = 0; bodkin::run_as_sandbox_launcher(argc, argv, code)) return code;
  std::string home = "/var/tmp/bodkin-home-XXXXXX";
  if (!::mkdtemp(home.data())) return 1;
  ::setenv("HOME", home.c_str(), 1);
  const int code = doctest::Context(argc, argv).run();
  std::filesystem::remove_all(home);
  return code;
}
