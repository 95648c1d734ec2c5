import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** A page in a browser, and everything that it must not do. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors on the console, uncaught exceptions, dialogs, and requests to other places. */
  readonly problems: string[];
}

/** Opens a file or an address until the test ends. Requests to another origin count as problems. */
export async function openedPage(
  browser: Browser,
  address: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenedPage> {
  const url = address.startsWith('/') ? pathToFileURL(address).href : address;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // A page that stays open draws its blinking cursor, and keeps its worker.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  const own = url.startsWith('file:') ? url.split('#', 1)[0] : new URL(url).origin;
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('dialog', async dialog => {
    problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', request => {
    if (!request.url().startsWith(own ?? '') && !/^(?:data|blob):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** Returns what axe-core finds, with the first element of each rule. */
export async function violationsOf(page: Page): Promise<string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the debugger, which the content security policy of the page does not concern.
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
}
