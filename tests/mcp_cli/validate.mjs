// node validate.mjs TYPES TRANSCRIPT: every result of the suite against the schemas of the protocol's official SDK (its
// types.js). Those of later versions than the SDK's are left out.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , types, transcript] = process.argv;
const schemas = await import(pathToFileURL(types).href);
let checked = 0, left = 0;
const wrong = [];
for (const line of readFileSync(transcript, "utf8").split("\n").filter(Boolean)) {
  const { name, version, value } = JSON.parse(line);
  const schema = schemas[`${name}Schema`];
  if (version > schemas.LATEST_PROTOCOL_VERSION || !schema) {
    ++left;
    continue;
  }
  const result = schema.safeParse(value);
  ++checked;
  if (!result.success) wrong.push(`${name}: ${JSON.stringify(result.error.issues).slice(0, 500)}`);
}
for (const each of wrong) console.log(each);
console.log(`${checked} results checked, ${left} of a later version left out`);
process.exit(wrong.length > 0 || checked === 0 ? 1 : 0);
