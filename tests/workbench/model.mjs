// The model, which is the only thing that is played.
import { createServer } from "node:http";

// A model's server with Chat Completions. answer(request, body) gives the text, or nothing: then the key is
// wrong; or an asynchronous iterable of its pieces. mayList(request): whether the models are listed. Returns {endpoint, close()}.
export async function modelServer(answer, mayList = () => true) {
  const event = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += bytes)).on("end", async () => {
      if (request.url.endsWith("/models") && !mayList(request)) return response.writeHead(401).end("{}");
      if (request.url.endsWith("/models")) {
        response.writeHead(200, { "content-type": "application/json" });
        return response.end('{"data":[{"id":"m"},{"id":"m2"}]}');
      }
      if (request.method !== "POST") return response.writeHead(404).end(); // what the model can do
      const text = await answer(request, body);
      // Piece by piece, as they come.
      if (text?.[Symbol.asyncIterator]) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for await (const piece of text) response.write(event({ role: "assistant", content: piece }));
        return response.end(event({}, "stop") + "data: [DONE]\n\n");
      }
      if (text === undefined) {
        response.writeHead(401, { "content-type": "application/json" });
        return response.end('{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error"}}');
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(event({ role: "assistant", content: text }) + event({}, "stop") + "data: [DONE]\n\n");
    });
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { endpoint: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

// A reply of the replayed model with SEARCH/REPLACE blocks: [file, search, replace]….
export function edits(...blocks) {
  const text = blocks
    .map(([file, search, replace]) => `${file}\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`)
    .join("\n");
  return { reply: { text, stop_reason: "end_turn" } };
}
