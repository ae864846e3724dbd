// A test program whose parts start this same program as a sandbox's launcher.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "agent/sandbox/sandbox.h"

int main(int argc, char** argv) {
  if (int code = 0; bodkin::run_as_sandbox_launcher(argc, argv, code)) return code;
  return doctest::Context(argc, argv).run();
}
