import fc from 'fast-check';
import { memoizeStrings } from '../../kubernetes/memoize.js';

/** Random texts and numbers of a run, from fast-check. */
export interface Pools {
  /** Texts of any characters. */
  readonly texts: readonly string[];
  readonly labels: readonly string[];
  readonly integers: readonly bigint[];
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  readonly uuids: readonly string[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly domains: readonly string[];
  readonly times: readonly string[];
  /** Returns texts that match a pattern; none for a pattern that JavaScript does not have. */
  readonly matching: (pattern: string) => readonly string[];
}

/** Values drawn of each type. */
const drawn = 60;

/** Characters of random texts; fast-check's own table of all characters takes seconds to build. */
const units = [
  ...'abcXYZ019 .,:;/_-+*=<>&\'"`\\|(){}[]$%#@!?~^\n\tüßéñÅ日本語한Жшعא',
  '🙂',
  '👩‍👩‍👧',
  'e\u0301',
  '\u00a0',
  '\u200d',
  '\u202e',
  '𝕊',
];

/** Returns the pools of a seed. */
export function poolsOf(seed: number): Pools {
  return drawnFor(String(seed));
}

/** Drawing them takes as long as dozens of calls, and every run needs them twice. */
const drawnFor = memoizeStrings(4, seed => draw(Number(seed)));

function draw(seed: number): Pools {
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = drawn): T[] => fc.sample(arbitrary, { seed, numRuns });
  const known = new Map<string, readonly string[]>();
  return {
    texts: sample(
      fc.oneof(fc.string({ unit: fc.constantFrom(...units), maxLength: 40 }), fc.string({ unit: 'binary-ascii', maxLength: 20 })),
    ).map(printable),
    labels: sample(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/)),
    integers: sample(fc.oneof(fc.integer({ min: -9, max: 99 }), fc.integer())).map(BigInt),
    ipv4: sample(fc.ipV4()),
    ipv6: sample(fc.ipV6()),
    uuids: sample(fc.uuid()),
    urls: sample(
      fc
        .tuple(fc.domain(), fc.stringMatching(/^(\/[a-zA-Z0-9%._~-]{1,9}){0,3}\/?(\?[a-z]=[a-z0-9&=]{0,9})?$/))
        .map(([host, rest]) => `https://${host}${rest}`),
    ),
    emails: sample(fc.emailAddress()),
    domains: sample(fc.domain()),
    times: sample(fc.date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })).map(date =>
      date.toISOString(),
    ),
    matching: pattern => {
      const found = known.get(pattern) ?? matching(pattern, sample);
      known.set(pattern, found);
      return found;
    },
  };
}

function matching(pattern: string, sample: <T>(arbitrary: fc.Arbitrary<T>, numRuns?: number) => T[]): readonly string[] {
  try {
    return sample(fc.stringMatching(new RegExp(pattern, 'u')), 20);
  } catch {
    return [];
  }
}

/** Control characters are refused in most fields; lone surrogates cannot be sent. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/gu, '');
}

/** Returns shorter texts in the order in which a reduction tries them, from fast-check. */
export function shorterTexts(text: string): string[] {
  const lengths = [...fc.nat(text.length).shrink(text.length, undefined)].map(({ value }) => value).slice(0, maxShorter);
  const found = lengths.filter(length => length > 0).flatMap(length => [text.slice(0, length), text.slice(-length)]);
  return [...new Set(found.map(wellFormedPool))].filter(one => one.length < text.length);
}

const maxShorter = 6;

/** Returns simpler integers in the same order. */
export function simplerIntegers(value: bigint): bigint[] {
  return [...fc.bigInt().shrink(value, undefined)].map(shrunk => shrunk.value).slice(0, maxShorter);
}

/** Removes halves of surrogate pairs, which cannot be sent. */
export function wellFormedPool(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
