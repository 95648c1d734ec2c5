/** Parts of a version that are compared: three numbers and the prerelease. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly string[];
}

const number = '(?:0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const pattern = new RegExp(
  `^(${number})\\.(${number})\\.(${number})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

/** Parses `1.2.3-alpha.1+build`; undefined for invalid text. Source: semver.org 2.0.0. */
export function semanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '', patch = '', preRelease] = match;
  return { numbers: [major, minor, patch].map(BigInt), preRelease: preRelease === undefined ? [] : preRelease.split('.') };
}

/** Compares versions: negative, zero or positive. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, value] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return Number(b.preRelease.length > 0) - Number(a.preRelease.length > 0);
  for (const [index, one] of a.preRelease.entries()) {
    const two = b.preRelease[index];
    if (two === undefined) return 1;
    if (one !== two) return compareIdentifiers(one, two);
  }
  return a.preRelease.length < b.preRelease.length ? -1 : 0;
}

/** Compares identifiers; numeric ones sort first. */
function compareIdentifiers(a: string, b: string): number {
  const [first, second] = [a, b].map(text => (/^\d+$/.test(text) ? BigInt(text) : undefined));
  if (first !== undefined && second !== undefined) return first < second ? -1 : 1;
  if (first === undefined && second === undefined) return a < b ? -1 : 1;
  return first === undefined ? 1 : -1;
}
