import { describe, expect, it } from 'vitest';
import type { ClusterClient } from '../../src/cluster/http/cluster-client.js';
import { readList } from '../../src/cluster/reading/read-objects.js';

/** A cluster whose lists always continue. */
function endless(item: string): { readonly client: ClusterClient; readonly pages: () => number } {
  let pages = 0;
  const body = `{"kind":"PodList","metadata":{"continue":"more"},"items":[${item}]}`;
  const send: ClusterClient['send'] = async () => {
    pages += 1;
    return { status: 200, headers: {}, body };
  };
  const upgrade = () => Promise.reject(new Error('nothing is forwarded'));
  const own = { context: 'c', server: 'https://me:hidden@127.0.0.1:1', user: 'u', certificate: undefined, timeoutMs: 1000 };
  const client = { ...own, send, upgrade, close: async () => {} };
  return { client, pages: () => pages };
}

const pods = { group: '', version: 'v1', resource: 'pods', kind: { group: '', version: 'v1', kind: 'Pod' } };

describe('a list that always continues', () => {
  it.each([
    ['empty pages', '', 2000],
    ['large pages', `{"data":"${'a'.repeat(1024 * 1024)}"}`, 256],
  ])('ends after %s', async (_, item, expected) => {
    const { client, pages } = endless(item);
    await expect(readList(client, pods, undefined)).rejects.toThrow(
      'the API server https://127.0.0.1:1 of context "c" lists pods without an end',
    );
    expect(pages()).toBe(expected);
  });
});
