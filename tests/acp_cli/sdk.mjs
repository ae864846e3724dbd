// node sdk.mjs BODKIN FOLDER: a whole turn with the protocol's official client, which refuses messages of a wrong shape.
// The environment's HOME has the settings. The last line is the sum.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
const require = createRequire(process.cwd() + "/");
const sdk = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href);

const [program, folder] = process.argv.slice(2);
const child = spawn(program, ["acp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const stream = sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
const updates = [];
let asked = 0;
const app = sdk.client({ name: "test" })
  .onRequest(sdk.methods.client.session.requestPermission, ({ params }) => {
    ++asked;
    return { outcome: { outcome: "selected", optionId: params.options[0].optionId } };
  })
  .onNotification(sdk.methods.client.session.update, ({ params }) => { updates.push(params.update.sessionUpdate); });
const stop = await app.connectWith(stream, async (context) => {
  const { agent } = sdk.methods;
  const can = await context.request(agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  if (can.protocolVersion !== 1) throw new Error("another version");
  const { sessionId } = await context.request(agent.session.new, { cwd: folder, mcpServers: [] });
  await context.request(agent.session.setConfigOption, { sessionId, configId: "mode", value: "confirm" });
  const { stopReason } = await context.request(agent.session.prompt, {
    sessionId, prompt: [{ type: "text", text: "wider" }] });
  await context.request(agent.session.list, { cwd: folder });
  return stopReason;
});
const isGood = stop === "end_turn" && asked === 1 && updates.includes("tool_call");
if (!isGood) console.log(`FAILED: ${stop}, ${asked} questions, ${updates}`);
console.log(isGood ? "1 passed, 0 failed, 0 skipped" : "0 passed, 1 failed, 0 skipped");
child.stdin.end();
process.exit(isGood ? 0 : 1);
