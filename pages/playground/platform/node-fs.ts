/** Texts of one-byte characters: files of the engine by their path below its folder: tables of Kubernetes types and other data. */
const files = new Map<string, string>();

/** Adds files, which have to be there before the engine reads them. */
export function addFiles(added: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(added)) files.set(name, text);
}

/** As Node's: a text if there is an encoding, else its bytes. Throws ENOENT. */
export function readFileSync(file: string, encoding?: string): string | Uint8Array {
  const text = files.get(file.replace(/^\/engine\//, ''));
  if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file, open '${file}'`), { code: 'ENOENT' });
  return encoding === undefined ? Buffer.from(text, 'latin1') : text;
}

export function existsSync(file: string): boolean {
  return files.has(file.replace(/^\/engine\//, ''));
}
