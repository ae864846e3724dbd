// The versions of the documents that an edit was made for. Pure.

// The first document of which there is another version now, or none. VS Code compares those of text edits, and not of files that are
// deleted or renamed, nor of the text of a file under its new name.
export function changedSince(versions: Record<string, number> | undefined, now: (uri: string) => number | undefined): string | undefined {
  return Object.entries(versions ?? {}).find(([uri, version]) => now(uri) !== version)?.[0];
}
