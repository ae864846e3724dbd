import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { edits } from "../model.mjs";

const before = `export function twice(of: number): number {
  return of + of;
}
`;
const without = (program) => process.env.PATH.split(delimiter).filter((folder) => !existsSync(join(folder, program))).join(delimiter);

export default {
  nightly: true,
  title: "a draft of TypeScript is checked by the editor's own TypeScript, where no other server is installed",
  own: { "bodkin.verify.servers": {} },
  environment: { PATH: without("typescript-language-server") },
  files: { "twice.ts": before, "tsconfig.json": '{"compilerOptions": {"strict": true}}\n', "use.ts": 'import { twice } from "./twice";\n\nexport const four: number = twice(2);\n' },
  turns: [
    edits(["twice.ts", "  return of + of;\n", '  return "2" + of;\n']),
    { expect: ["not assignable to type 'number'"], ...edits(["twice.ts", '  return "2" + of;\n', "  return 2 * of;\n"]) },
  ],
  async run(w) {
    await w.open("twice.ts", 2);
    await w.command("bodkin: Ask Agent…");
    await w.request("Multiply");
    await w.drawn("→ return 2 * of;");
    await w.said("✓ TypeScript: no new errors");
    await w.shot();
    await w.command("bodkin: Check Setup");
    await w.page.locator(".view-line", { hasText: /TypeScript:.TypeScript/ }).first().waitFor();
    await w.shot();
  },
};
