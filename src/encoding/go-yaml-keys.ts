/**
 * Compares two keys as go-yaml sorts them: letters after other characters, numbers by their value. Negative, zero or positive, for
 * `Array.sort`. Source: goyaml.v2 sorter.go.
 */
export function compareYamlKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) return left.length - right.length;
  const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
  if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
  if (isLetterX) return codeOf(x) - codeOf(y);
  // A zero counts inside of a number, not at its start.
  const isInside = (x === '0' || y === '0') && /[1-9]\d*$/.test(left.slice(0, at).join(''));
  const [digitsX, digitsY] = [digitsAt(left, at), digitsAt(right, at)];
  const lead = isInside ? '1' : '0';
  const difference = BigInt(lead + digitsX) - BigInt(lead + digitsY);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return digitsX.length - digitsY.length || codeOf(x) - codeOf(y);
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function digitsAt(characters: readonly string[], at: number): string {
  return /^\d*/.exec(characters.slice(at).join(''))?.[0] ?? '';
}
