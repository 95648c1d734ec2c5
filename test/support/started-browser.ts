import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A browser that writes its argument into a file, and waits until it has. */
export function browserIn(folder: string): { readonly command: string; readonly opened: () => Promise<string> } {
  const file = path.join(folder, 'opened');
  const script = path.join(folder, 'browser.mjs');
  writeFileSync(
    script,
    `import { writeFileSync, renameSync } from 'node:fs'; writeFileSync('${file}.new', process.argv[2]); renameSync('${file}.new', '${file}');`,
  );
  const opened = async (): Promise<string> => {
    for (let i = 0; i < 500; i += 1) {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        await new Promise(resolve => setTimeout(resolve, 20));
      }
    }
    throw new Error('no browser was started');
  };
  return { command: `${process.execPath} ${script}`, opened };
}
