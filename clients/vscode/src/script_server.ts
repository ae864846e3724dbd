// A program of its own (out/script_server.js): the few messages of a language server with which bodkin checks a
// draft, put to VS Code's own TypeScript. tsserver takes a line of JSON for a request, and answers with headers as
// LSP has them.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

type Json = Record<string, unknown>;
interface Message {
  id?: number | string;
  method?: string;
  params?: Json;
}

// Whole messages of a stream with "Content-Length".
function reader(take: (text: string) => void): (piece: Buffer) => void {
  let held = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    for (;;) {
      const end = held.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(held.toString("latin1", 0, end))?.[1] ?? 0);
      if (held.length < end + 4 + length) return;
      const text = held.toString("utf8", end + 4, end + 4 + length);
      held = held.subarray(end + 4 + length);
      take(text);
    }
  };
}

const write = (message: Json) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};

let ask: ((command: string, argument: Json) => Promise<Json>) | undefined;
let tell: (command: string, argument: Json) => void = () => {};

// `library`: tsserver.js.
function start(library: string, root: string): void {
  const options = [
    "--useInferredProjectPerProjectRoot",
    "--disableAutomaticTypingAcquisition",
    "--suppressDiagnosticEvents",
  ];
  const server = spawn(process.execPath, [library, ...options], { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
  server.on("exit", () => process.exit(1));
  const waiting = new Map<number, (answer: Json) => void>();
  let last = 0;
  const send = (command: string, argument: Json) => {
    const seq = ++last;
    server.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: argument })}\n`);
    return seq;
  };
  server.stdout.on(
    "data",
    reader((text) => {
      const answer = JSON.parse(text) as { type: string; request_seq?: number } & Json;
      if (answer.type !== "response") return;
      waiting.get(answer.request_seq ?? 0)?.(answer);
      waiting.delete(answer.request_seq ?? 0);
    }),
  );
  tell = (command, argument) => void send(command, argument);
  ask = (command, argument) => new Promise((resolve) => waiting.set(send(command, argument), resolve));
}

const pathOf = (params: Json) => fileURLToPath(String((params.textDocument as Json).uri));
const kinds: Record<string, string> = {
  typescript: "TS",
  typescriptreact: "TSX",
  javascript: "JS",
  javascriptreact: "JSX",
};

function initialize(params: Json): Json {
  const root = String(params.rootPath ?? process.cwd());
  const library = ((params.initializationOptions as Json)?.tsserver as Json | undefined)?.path;
  start(String(library), root);
  tell("configure", { hostInfo: "bodkin" });
  const options = {
    module: "ESNext",
    moduleResolution: "Node",
    target: "ES2022",
    jsx: "React",
    allowJs: true,
    checkJs: true,
    strictNullChecks: true,
    strictFunctionTypes: true,
  };
  tell("compilerOptionsForInferredProjects", { options });
  return {
    capabilities: {
      textDocumentSync: 1,
      definitionProvider: true,
      executeCommandProvider: { commands: ["typescript.tsserverRequest"] },
    },
    serverInfo: { name: "TypeScript" },
  };
}

const told: Record<string, (params: Json) => void> = {
  "textDocument/didOpen": (params) => {
    const { languageId, text } = params.textDocument as Json;
    tell("updateOpen", {
      openFiles: [{ file: pathOf(params), fileContent: text, scriptKindName: kinds[String(languageId)] }],
    });
  },
  // All of the text, each time: the old one is taken away as a whole.
  "textDocument/didChange": (params) => {
    const [{ text }] = params.contentChanges as Json[];
    tell("updateOpen", { openFiles: [{ file: pathOf(params), fileContent: text }] });
  },
  "textDocument/didClose": (params) => tell("updateOpen", { closedFiles: [pathOf(params)] }),
  exit: () => process.exit(0),
};

const asked: Record<string, (params: Json) => unknown> = {
  initialize,
  shutdown: () => null,
  "workspace/executeCommand": ({ arguments: given }) => {
    const [command, argument] = given as [string, Json];
    return ask?.(command, argument);
  },
  "textDocument/definition": async (params) => {
    const { line, character } = params.position as { line: number; character: number };
    const { body } =
      (await ask?.("definition", { file: pathOf(params), line: line + 1, offset: character + 1 })) ?? {};
    return (body as unknown[] | undefined) ?? [];
  },
};

process.stdin.on(
  "data",
  reader((text) => {
    const { id, method = "", params = {} } = JSON.parse(text) as Message;
    if (id === undefined) return told[method]?.(params);
    const does = asked[method];
    if (!does) return write({ id, error: { code: -32601, message: `unknown: ${method}` } });
    Promise.resolve()
      .then(() => does(params))
      .then(
        (result) => write({ id, result: result ?? null }),
        (error: Error) => write({ id, error: { code: -32603, message: error.message } }),
      );
  }),
);
process.stdin.on("end", () => process.exit(0));
