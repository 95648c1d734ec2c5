import type { Effects } from './effects.js';

/** Characters of generated names: no vowels, no characters that look alike. Source: apimachinery util/rand. */
export const nameCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** The random end of a name from `generateName`, as a regular expression. */
export const generatedSuffix = `[${nameCharacters}]{5}`;

/** Returns the random suffix of a generated name. */
export function randomSuffix(effects: Pick<Effects, 'random'>, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += nameCharacters[Math.floor(effects.random() * nameCharacters.length)];
  return text;
}
