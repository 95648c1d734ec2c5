import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { openLivePage } from '../../src/cli/work/live-page/live-page.js';
import { openPrivateAddress } from '../../src/cli/work/live-page/private-address.js';
import { browserIn } from '../support/started-browser.js';
import type { Closing } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const opened: Closing[] = [];
let printed = '';
const stderr = { write: (text: string) => (printed += text), isTerminal: false, flush: async () => {} };

afterEach(async () => {
  printed = '';
  for (const one of opened.splice(0).reverse()) await one.close();
});

describe('the browser that --open starts', () => {
  it('gets the name of a file of the user in place of the token, which leads to the page and is removed', async () => {
    const { folder, remove } = temporaryFolder();
    opened.push({ close: remove });
    const browser = browserIn(folder);
    const page = await openLivePage(() => 'the page', { env: { BROWSER: browser.command }, stderr });
    const [, token = 'no token'] = new URL(page.address).pathname.split('/');
    const argument = await browser.opened();
    expect([argument.startsWith('file:'), argument.includes(token), printed]).toEqual([true, false, `page: ${page.address}\n`]);
    const file = fileURLToPath(argument);
    if (process.platform !== 'win32')
      expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const address = /url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    expect(await (await fetch(address)).text()).toBe('the page');
    await page.close();
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  it('is not needed: nothing is written without one', async () => {
    (await openPrivateAddress('http://127.0.0.1:1/token/', { env: { BROWSER: 'none' }, stderr }))();
    expect(printed).toBe('');
  });
});
