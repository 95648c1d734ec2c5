import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from '../../client/cli-error.js';
import { systemReason } from '../../files/system-reason.js';
import { startDetached } from '../../processes/start-child.js';
import type { Surroundings } from './surroundings.js';

/** Returns the path of a report in a new folder, which is not removed, because a browser reads it later. Throws CliError. */
export async function reportFile(): Promise<string> {
  try {
    return path.join(await mkdtemp(path.join(tmpdir(), 'webhook-cli-report-')), 'report.html');
  } catch (error) {
    throw new CliError('write-failed', `cannot create a folder for the report: ${systemReason(error)}`, { cause: error });
  }
}

/** Writes a page to a file of its own and opens it. Throws CliError. */
export async function openPage(html: string, surroundings: Surroundings): Promise<void> {
  const file = await reportFile();
  try {
    await writeFile(file, html, { mode: 0o600 });
  } catch (error) {
    throw new CliError('write-failed', `the report cannot be written: ${systemReason(error)}`, { location: { file }, cause: error });
  }
  await openReport(file, surroundings);
}

/** Opens a file in the browser, and prints its path. A missing browser is not an error. */
export async function openReport(file: string, { env, stderr, cwd }: Pick<Surroundings, 'env' | 'stderr' | 'cwd'>): Promise<void> {
  stderr.write(`report: ${file}\n`);
  await openAddress(pathToFileURL(path.resolve(cwd, file)).href, { env, stderr });
}

/** Opens an address in the browser. A missing browser is not an error. */
export async function openAddress(url: string, { env, stderr }: Pick<Surroundings, 'env' | 'stderr'>): Promise<void> {
  for (const command of browserCommands(env, process.platform)) {
    if (await isStarted(command.map(word => word.replaceAll('%s', url)))) return;
  }
  if (env['BROWSER'] !== 'none') stderr.write('note: could not start a browser: open the report yourself\n');
}

/**
 * Returns the commands to try, with `%s` for the address. `BROWSER` lists commands, separated by colons, as for xdg-open and Python; `none` disables the browser.
 */
export function browserCommands(env: Surroundings['env'], platform: NodeJS.Platform): string[][] {
  const chosen = env['BROWSER'] ?? '';
  if (chosen === 'none') return [];
  if (platform === 'win32') return [chosen === '' ? ['explorer.exe', '%s'] : [chosen, '%s']];
  const listed = chosen.split(':').filter(command => command.trim() !== '');
  const fallback = platform === 'darwin' ? 'open' : 'xdg-open';
  return (listed.length > 0 ? listed : [fallback]).map(command => {
    const args = command.trim().split(/\s+/);
    return args.some(word => word.includes('%s')) ? args : [...args, '%s'];
  });
}

/** The browser outlives this process. */
function isStarted([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const child = startDetached(program, args);
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
