import { edits } from "../model.mjs";

const before = `#include <string>

std::string greeting(const std::string& name) {
  return "Hello " + name;
}

int main() { return greeting("you").empty() ? 1 : 0; }
`;
const after = before.replace('"Hello " + name', '"Hello, " + name + "!"');

export default {
  title: "ask on the selection: the diff is shown, applied, and undone in one step",
  files: { "greet.cpp": before, "compile_flags.txt": "-std=c++17\n" },
  turns: [
    {
      expect: ["Say it with a comma", 'return "Hello " + name;'],
      ...edits(["greet.cpp", '  return "Hello " + name;\n', '  return "Hello, " + name + "!";\n']),
    },
  ],
  async run(w) {
    await w.open("greet.cpp", 3);
    await w.select(3);
    await w.command("bodkin: Ask Agent…");
    await w.request("Say it with a comma");
    await w.proposed("greet.cpp");
    await w.status("bodkin: 1 proposal");
    await w.shot();
    await w.titleAction("Apply");
    await w.noProposal();
    await w.tab("greet.cpp");
    await w.saved("greet.cpp", after);
    await w.page.keyboard.press("Control+z");
    await w.shows('return "Hello " + name;');
  },
};
