import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../../suites/process/left-behind.js';
import { openAddress } from '../../shell/open-report.js';
import type { Surroundings } from '../../shell/surroundings.js';

/**
 * Opens an address with a token in the browser, and returns a function that removes what this needs. All users of the machine see the command lines of programs:
 * that of the browser has the name of a file that leads to the address, and that only the user can read, as Jupyter does it. A file that cannot be written is not
 * an error: the address is printed.
 */
export async function openPrivateAddress(url: string, { env, stderr }: Pick<Surroundings, 'env' | 'stderr'>): Promise<() => void> {
  if (env['BROWSER'] === 'none') return () => {};
  let folder: string;
  try {
    folder = temporaryFolder('page');
    writeFileSync(path.join(folder, 'open.html'), leadingTo(url), { mode: 0o600, flag: 'wx' });
  } catch {
    stderr.write('note: could not start a browser: open the page yourself\n');
    return () => {};
  }
  await openAddress(pathToFileURL(path.join(folder, 'open.html')).href, { env, stderr });
  return () => rmSync(folder, { recursive: true, force: true });
}

function leadingTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">webhook-cli</a>\n`;
}
