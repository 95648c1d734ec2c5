import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fragmentFor, inputIn } from '../../pages/playground/address.js';
import { startInput } from '../../pages/playground/examples.js';

const fragmentOf = (text: string): string => `#${deflateRawSync(text, { level: 9 }).toString('base64url')}`;

describe('the address of the playground', () => {
  it('holds the input', async () => {
    const input = { ...startInput, manifest: 'kind: Pod # ä' };
    expect(await inputIn(await fragmentFor(input), startInput)).toEqual(input);
  });

  it.each([
    ['4 MB', 4_000_000, true],
    ['64 MiB', 64 * 1024 * 1024, false],
  ])('is read up to 4 MiB: %s', async (_, characters, isRead) => {
    const fragment = fragmentOf(JSON.stringify({ manifest: '#'.repeat(characters) }));
    expect(fragment.length).toBeLessThan(100_000);
    expect((await inputIn(fragment, startInput)) !== undefined).toBe(isRead);
  });
});
