import { edits } from "../model.mjs";

const before = `#include <string>

std::string name() {
  return "a";
}
`;

export default {
  nightly: true,
  title: "if it is wished, clangd's error after the apply starts one repair, and that ends clean",
  settings: { "bodkin.agent.repair": "auto" },
  files: { "name.cpp": before },
  turns: [
    edits(["name.cpp", '  return "a";\n', "  return 42;\n"]),
    {
      expect: ["return 42;", "viable conversion"],
      ...edits(["name.cpp", "  return 42;\n", "  return std::to_string(42);\n"]),
    },
  ],
  async run(w) {
    await w.open("name.cpp", 3);
    await w.errors(0);
    await w.select(3);
    await w.command("bodkin: Ask Agent…");
    await w.request("Return forty-two");
    await w.proposed("name.cpp");
    await w.titleAction("Apply");
    await w.errors(1);
    await w.proposed("name.cpp");
    await w.shot();
    await w.titleAction("Apply");
    await w.noProposal();
    await w.errors(0);
    await w.saved("name.cpp", before.replace('"a"', "std::to_string(42)"));
  },
};
