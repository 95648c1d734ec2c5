import type { Random } from '../differential/random.js';

/** Returns other bytes in place of those of a cache file, as a broken disk, an interrupted copy or an attacker leaves them. */
export type Damage = (good: Buffer, random: Random) => Buffer;

export const damages: Readonly<Record<string, Damage>> = {
  'a bit': (good, random) => withBytes(good, random.below(good.length), 1, byte => byte ^ (1 << random.below(8))),
  'a byte of the checksum': (good, random) => withBytes(good, random.below(Math.min(32, good.length)), 1, byte => byte ^ 0xff),
  'random bytes': (good, random) => withBytes(good, random.below(good.length), 1 + random.below(64), () => random.below(256)),
  'a page of zeros': (good, random) => withBytes(good, 4096 * random.below(Math.ceil(good.length / 4096)), 4096, () => 0),
  'bytes from elsewhere': (good, random) => {
    const from = random.below(good.length);
    return withBytes(good, random.below(good.length), 512, (byte, i) => good[from + i] ?? byte);
  },
  'the end cut off': (good, random) => good.subarray(0, random.below(good.length)),
  'more bytes': (good, random) => Buffer.concat([good, good.subarray(0, 1 + random.below(5000))]),
  'nothing left': () => Buffer.alloc(0),
};

function withBytes(good: Buffer, start: number, count: number, byte: (old: number, i: number) => number): Buffer {
  const damaged = Buffer.from(good);
  for (let i = 0; i < count && start + i < good.length; i += 1) damaged[start + i] = byte(good[start + i] ?? 0, i);
  return damaged;
}
