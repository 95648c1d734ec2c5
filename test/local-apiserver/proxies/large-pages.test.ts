import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { rewritePage } from '../../../src/local-apiserver/proxy/rewrite-page.js';

const prefix = { path: '/api/v1/namespaces/shop/pods/web-0/proxy', host: 'api', at: '10.0.0.7:80' };
const mebibyte = 1024 * 1024;

it('stops reading a page that does not end', async () => {
  let [reads, isReleased] = [0, false];
  const page = rewritePage(
    {
      read: async () => {
        reads += 1;
        return new Uint8Array(mebibyte);
      },
      release: () => {
        isReleased = true;
      },
    },
    { encoding: '', prefix, isHead: false },
  );
  await expect(page).rejects.toThrow('the HTML page is larger than 16 MiB');
  expect([reads, isReleased]).toEqual([17, true]);
});

it('unpacks no page that is larger than its limit', async () => {
  const chunks: Uint8Array[] = [gzipSync(new Uint8Array(17 * mebibyte))];
  const page = rewritePage({ read: async () => chunks.pop(), release: () => undefined }, { encoding: 'gzip', prefix, isHead: false });
  await expect(page).rejects.toThrow('the HTML page is larger than 16 MiB');
});
