// Keys out of texts, as they are and as they are in JSON. Pure.
export function redacted(text: string, keys: Iterable<string>): string {
  for (const key of keys) text = text.replaceAll(key, "•••").replaceAll(JSON.stringify(key).slice(1, -1), "•••");
  return text;
}
