import { edits } from "../model.mjs";

const before = `#include <string>

std::string name() {
  return 42;
}
`;

export default {
  title: "a problem's lightbulb has Fix, and the problem is gone after it",
  files: { "name.cpp": before },
  turns: [
    {
      expect: ["return 42;", "viable conversion"],
      ...edits(["name.cpp", "  return 42;\n", "  return std::to_string(42);\n"]),
    },
  ],
  async run(w) {
    await w.open("name.cpp", 4);
    await w.errors(1);
    await w.lightbulb('bodkin: Fix “');
    await w.proposed("name.cpp");
    await w.said(/^Fix “.*viable conversion/);
    await w.titleAction("Apply");
    await w.noProposal();
    await w.errors(0);
    await w.saved("name.cpp", before.replace("42;", "std::to_string(42);"));
  },
};
