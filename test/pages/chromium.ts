import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/** A Chromium that runs, to test pages with, or the reason why there is none. */
export type FoundBrowser = { readonly browser: Browser } | { readonly missing: string };

/** Places of a Chromium of the system. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'];

/**
 * Starts the Chromium that WEBHOOK_CLI_CHROMIUM names, that of the development dependencies, which needs no libraries of the system, or that of the system. In
 * CI, throws if there is none; elsewhere the tests are skipped, with the reason.
 */
export async function findChromium(): Promise<FoundBrowser> {
  const named = process.env['WEBHOOK_CLI_CHROMIUM'];
  const ways = named === undefined ? [ofDependencies, ofSystem] : [async () => ({ executablePath: named, args: ['--no-sandbox'] })];
  const tried: string[] = [];
  for (const way of ways) {
    try {
      const options = await way();
      if (options === undefined) continue;
      // A browser that cannot start is as good as none.
      return { browser: await chromium.launch(options) };
    } catch (error) {
      tried.push(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
    }
  }
  const missing = `no Chromium starts here${tried.length === 0 ? '' : `: ${tried.join('; ')}`}`;
  if ((process.env['CI'] ?? '') !== '') throw new Error(`the tests of pages need a browser: ${missing}`);
  return { missing };
}

/** Returns the browser; tests without one are skipped, and never use it. */
export function browserOf(found: FoundBrowser): Browser {
  return ('browser' in found ? found.browser : undefined) as Browser;
}

/** Returns the title of a suite of tests, with the reason if it is skipped. */
export function titleFor(found: FoundBrowser, title: string): string {
  return 'missing' in found ? `${title} (skipped: ${found.missing})` : title;
}

async function ofDependencies(): Promise<LaunchOptions | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { env } = process;
  const kept = { VERCEL: env['VERCEL'], LD_LIBRARY_PATH: env['LD_LIBRARY_PATH'] };
  // Makes the package unpack the libraries that a minimal system lacks; only the browser gets them.
  env['VERCEL'] = '1';
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    // Its own arguments would turn off the security of the web.
    return { executablePath, args: ['--no-sandbox'], env: definedIn(env) };
  } finally {
    for (const [name, value] of Object.entries(kept)) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
  }
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function ofSystem(): Promise<LaunchOptions> {
  const executablePath = places.find(place => existsSync(place));
  return executablePath === undefined ? { channel: 'chrome' } : { executablePath, args: ['--no-sandbox'] };
}
