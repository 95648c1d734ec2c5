import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type LivePage, servePage } from '../../src/cli/work/live-page/live-page.js';

let open: LivePage | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function served(): Promise<LivePage> {
  open = await servePage(events => `events at ${events}`, { write: () => {} });
  return open;
}

/** Returns the status of a request to an address under another host name. */
function statusAs(host: string, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(address, { headers: { host } }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

it('serves the page only at the address with the token', async () => {
  const { address } = await served();
  const token = new URL(address).pathname;
  expect(await (await fetch(address)).text()).toBe(`events at ${token}events`);
  const otherLast = token.endsWith('x/') ? 'y/' : 'x/';
  const wrong = ['/', '/x/', `${token.slice(0, -2)}${otherLast}`, `${token}other`, token.replace(/\/$/, '/../')];
  const statuses = await Promise.all(wrong.map(async name => (await fetch(new URL(name, address))).status));
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
  expect((await fetch(address, { method: 'POST' })).status).toBe(404);
});

it('refuses other host names, by which a page of another site could reach it', async () => {
  const { address } = await served();
  expect(await statusAs('evil.example.com', address)).toBe(404);
  expect(await statusAs('localhost:1', address)).toBe(200);
});

it('tells open pages when there is a newer one', async () => {
  const page = await served();
  const { body } = await fetch(`${page.address}events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(': open\n\n');
  page.update();
  expect((await reader?.read())?.value).toBe('event: page\ndata: new\n\n');
  await reader?.cancel();
});
