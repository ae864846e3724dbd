// node settings.mjs PROGRAM [--check]: writes the settings that the server describes (`bodkin settings --json`) into package.json, or only
// says with its exit code whether they are there. Nothing of them is written by hand.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const titles = { model: "Model", agent: "Agent", edits: "Edits and Review", files: "Edits and Review", suggest: "Next Edits", verify: "Checks", sandbox: "Sandbox", history: "History", log: "Server and Log", server: "Server and Log", trace: "Server and Log" };
const types = { text: "string", number: "number", list: "array", object: "object" };
// VS Code reads `machine` settings only from the user's own.
const scopes = { user: "machine", folder: "resource" };

// What a person needs first is first on the page, which sorts the others by their names.
const first = ["model.provider", "model.name", "model.endpoint", "agent.mode", "agent.permissions"];

// `file` is read only from bodkin's own settings.json.
export const rowsOf = (program) => JSON.parse(execFileSync(program, ["settings", "--json"], { encoding: "utf8" })).filter(({ scope }) => scope !== "file");

export function settingOf({ key, type, default: otherwise, scope, sentence, values, meanings, open }) {
  const setting = { type: types[type], default: otherwise, scope: scopes[scope] ?? (key.startsWith("trace.") ? "window" : "machine") };
  if (first.includes(key)) setting.order = first.indexOf(key);
  if (type === "list") setting.items = { type: "string" };
  if (values) setting.enum = values;
  // A setting that is named there can be followed.
  const linked = (text) => text.replace(/(?<![\w.`])((?:model|agent|edits|verify|history|sandbox|suggest)\.[a-z]\w+)/g, "`#bodkin.$1#`");
  const more = open && key === "agent.profile" ? " (VS Code underlines the name of your own as an error; it works all the same.)" : "";
  if (meanings) setting.markdownEnumDescriptions = meanings.map(linked);
  return { ...setting, markdownDescription: linked(sentence) + more };
}

export function configuration(rows) {
  const groups = new Map();
  for (const row of rows) {
    const title = titles[row.key.split(".")[0]];
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  const line = (row) => `        ${JSON.stringify(`bodkin.${row.key}`)}: ${spaced(JSON.stringify(settingOf(row)))}`;
  return [...groups].map(([title, its], order) => `      {"title": ${JSON.stringify(title)}, "order": ${order}, "properties": {\n${its.map(line).join(",\n")}\n      }}`).join(",\n");
}

// A folder that is not trusted sets none of them but what is logged of the messages.
const restricted = (rows) =>
  rows
    .filter(({ key }) => !key.startsWith("trace."))
    .map(({ key }) => JSON.stringify(`bodkin.${key}`))
    .join(", ");

// As the rest of package.json: {"a": [1, 2]}.
function spaced(json) {
  return json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (each) => (each === ":" || each === "," ? `${each} ` : each));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = new URL("package.json", import.meta.url);
  const before = readFileSync(file, "utf8");
  const rows = rowsOf(process.argv[2]);
  const after = before
    .replace(/("configuration": \[\n)[^]*?(\n {4}\])/, (_, begin, end) => begin + configuration(rows) + end)
    .replace(/("restrictedConfigurations": \[)[^\]]*/, (_, begin) => begin + restricted(rows));
  if (process.argv[3] === "--check") process.exit(before === after ? 0 : 1);
  writeFileSync(file, after);
}
