import { parseUint64 } from '../../go/parse-integer.js';
import { quote } from '../../go/quote.js';

/** A semantic version. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** Not a valid version; the message is the Go library's. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

/** Reads `1.2.3-rc.1+build`. Throws VersionError. Source: blang/semver v4 Parse. */
export function parseVersion(text: string): Version {
  if (text === '') throw new VersionError('Version string empty');
  const [major, minor, rest] = threeParts(text);
  if (major === undefined || minor === undefined || rest === undefined) throw new VersionError('No Major.Minor.Patch elements found');
  const majorNumber = numberOf('major', major);
  const minorNumber = numberOf('minor', minor);
  const [beforeBuild, buildText] = cut(rest, '+');
  const [patch, preText] = cut(beforeBuild, '-');
  return {
    major: majorNumber,
    minor: minorNumber,
    patch: numberOf('patch', patch),
    pre: preText === undefined ? [] : preText.split('.').map(preReleaseOf),
    build: buildText === undefined ? [] : buildText.split('.').map(buildOf),
  };
}

/** Reads lenient versions: `v1`, `1.02`. Throws VersionError. Source: apiserver pkg/cel/library/semverlib.go normalizeAndParse. */
export function parseLooseVersion(text: string): Version {
  const parts = threeParts(text.startsWith('v') ? text.slice(1) : text)
    .filter(part => part !== undefined)
    .map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new VersionError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseVersion(parts.join('.'));
}

/** -1, 0 or 1; build metadata is ignored. */
export function compareSemvers(a: Version, b: Version): number {
  const numbers = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.pre.length === 0 || b.pre.length === 0) return order(b.pre.length === 0 ? 0 : 1, a.pre.length === 0 ? 0 : 1);
  for (const [i, x] of a.pre.entries()) {
    const y = b.pre[i];
    if (y === undefined) return 1;
    const parts = comparePreRelease(x, y);
    if (parts !== 0) return parts;
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

/** `1.2.3-rc.1+build` */
export function versionText({ major, minor, patch, pre, build }: Version): string {
  const preText = pre.length === 0 ? '' : `-${pre.join('.')}`;
  return `${major}.${minor}.${patch}${preText}${build.length === 0 ? '' : `+${build.join('.')}`}`;
}

function threeParts(text: string): readonly [string | undefined, string | undefined, string | undefined] {
  const [first, second, ...rest] = text.split('.');
  return [first, second, rest.length === 0 ? undefined : rest.join('.')];
}

/** Strips leading zeros, but keeps one digit. */
function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`;
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function numberOf(name: 'major' | 'minor' | 'patch', text: string): bigint {
  if (!/^\d*$/.test(text)) throw new VersionError(`Invalid character(s) found in ${name} number ${quote(text)}`);
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (/^0./.test(text)) throw new VersionError(`${title} number must not contain leading zeroes ${quote(text)}`);
  return unsigned(text);
}

function unsigned(text: string): bigint {
  const value = parseUint64(text);
  if (typeof value === 'object') throw new VersionError(value.error);
  return value;
}

function preReleaseOf(text: string): bigint | string {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (/^0./.test(text)) throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
    return unsigned(text);
  }
  if (!/^[\da-zA-Z-]+$/.test(text)) throw new VersionError(`Invalid character(s) found in prerelease ${quote(text)}`);
  return text;
}

function buildOf(text: string): string {
  if (text === '') throw new VersionError('Build meta data is empty');
  if (!/^[\da-zA-Z-]+$/.test(text)) throw new VersionError(`Invalid character(s) found in build meta data ${quote(text)}`);
  return text;
}

/** Numeric identifiers sort before alphanumeric ones. */
function comparePreRelease(a: bigint | string, b: bigint | string): number {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? order(a, b) : -1;
  return typeof b === 'bigint' ? 1 : order(a, b);
}

function order<T extends bigint | string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
