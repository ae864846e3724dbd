import { edits } from "../model.mjs";

const before = `export function twice(of: number): number {
  return of + of;
}

export const four = twice(2);
`;
const after = before.replace("of + of", "2 * of");

export default {
  nightly: true,
  title: "an edit of TypeScript without problems, which its server is silent about, is known to have none",
  files: { "twice.ts": before, "tsconfig.json": '{"compilerOptions": {"strict": true}}\n' },
  turns: [edits(["twice.ts", "  return of + of;\n", "  return 2 * of;\n"])],
  async run(w) {
    await w.open("twice.ts", 1);
    await w.select(3);
    await w.command("bodkin: Ask Agent…");
    await w.request("Multiply");
    await w.proposed("twice.ts");
    await w.titleAction("Apply");
    await w.status("Applied. The editor reports no problems.");
    await w.shot();
    await w.noProposal();
    await w.saved("twice.ts", after);
  },
};
