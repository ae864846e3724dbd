import { createServer } from "node:http";
import { edits } from "../workbench.mjs";

const key = "sk-workbench-31415";
const { text } = edits(["a.py", "a = 1\n", "a = 2\n"]).reply;
const event = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

// A model's server that wants the key.
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { "content-type": "application/json" });
      return response.end('{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error"}}');
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(event({ role: "assistant", content: text }) + event({}, "stop") + "data: [DONE]\n\n");
  });
});

export default {
  title: "a key that was stored reaches the model's server, and no file",
  files: { "a.py": "a = 1\n" },
  async before() {
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    return {
      settings: {
        "bodkin.model.provider": "openai-compatible",
        "bodkin.model.name": "m",
        "bodkin.model.endpoint": `http://127.0.0.1:${server.address().port}/v1`,
      },
    };
  },
  after: () => void server.close(),
  async run(w) {
    await w.open("a.py");
    await w.command("Bodkin: Ask Agent…");
    await w.answer("Another number");
    await w.notification("Incorrect API key").waitFor();
    await w.command("Bodkin: Set API Key…");
    await w.choose("Another server with OpenAI's API");
    await w.answer(key);
    await w.notification("is in VS Code's secret store").waitFor();
    await w.command("Bodkin: Ask Agent…");
    await w.answer("Another number");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
    w.nowhereOnDisk(key);
  },
};
