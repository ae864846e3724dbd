export class Edited {
  found(uri: Uri): Entry {
    return this.entries.get(uri.path);
  }
  writeFile(uri: Uri, text: Uint8Array): void {
    Object.assign(this.found(uri), { text });
  }
}
