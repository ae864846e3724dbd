// node validate.mjs SCHEMA TRANSCRIPT: every message of bodkin's in a transcript of run.py (ACP_TRANSCRIPT) against the
// published schema of the protocol. The last line is the sum.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const require = createRequire(process.cwd() + "/");
const Ajv = require("ajv/dist/2020.js").default;

const [schemaFile, transcript] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema(schema, "acp");
const check = (name) => ajv.getSchema(`acp#/$defs/${name}`) ?? ajv.compile({ $ref: `acp#/$defs/${name}` });

const outgoing = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
  "fs/read_text_file": "ReadTextFileRequest",
  "fs/write_text_file": "WriteTextFileRequest",
  "elicitation/create": "CreateElicitationRequest",
};
const answers = {
  initialize: "InitializeResponse",
  "session/new": "NewSessionResponse",
  "session/load": "LoadSessionResponse",
  "session/resume": "ResumeSessionResponse",
  "session/list": "ListSessionsResponse",
  "session/close": "CloseSessionResponse",
  "session/prompt": "PromptResponse",
  "session/set_mode": "SetSessionModeResponse",
  "session/set_config_option": "SetSessionConfigOptionResponse",
};

let passed = 0, failed = 0;
let asked = new Map();
for (const line of readFileSync(transcript, "utf8").split("\n").filter(Boolean)) {
  const { way, message } = JSON.parse(line);
  if (way === "out") {
    if (message.method === "initialize" && message.id === 1) asked = new Map();
    // An id that is in use belongs to the first request: the second one gets an error.
    if ("method" in message && "id" in message && !asked.has(message.id)) asked.set(message.id, message.method);
    continue;
  }
  const [name, value] = "method" in message
    ? [outgoing[message.method], message.params]
    : "result" in message ? [answers[asked.get(message.id)], message.result] : [undefined, undefined];
  if ("result" in message) asked.delete(message.id);
  if (!name) continue;
  const validate = check(name);
  if (validate(value)) {
    ++passed;
  } else {
    ++failed;
    console.log(`FAILED ${name}: ${ajv.errorsText(validate.errors).slice(0, 500)}: ${JSON.stringify(value).slice(0, 500)}`);
  }
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
