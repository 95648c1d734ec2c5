import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { BOOL, INT, STRING, structType } from '../values/type.js';
import { type CelError, type CelValue, celError, noSuchOverload } from '../values/value.js';
import { compareSemvers, parseLooseVersion, parseVersion, type Version, VersionError, versionText } from './semver-version.js';

/** A semantic version. */
export const SEMVER = structType('kubernetes.Semver');
const versions = extensionKind<Version>(SEMVER);

/** Semantic versions. Source: apiserver pkg/cel/library/semverlib.go. */
export const semverFunctions: readonly FunctionDeclaration[] = [
  fn(
    'semver',
    overload(
      'string_to_semver',
      [STRING],
      SEMVER,
      unary(text => toVersion(text, false)),
    ),
    overload('string_bool_to_semver', [STRING, BOOL], SEMVER, binary(toVersion)),
  ),
  fn(
    'isSemver',
    overload(
      'is_semver_string',
      [STRING],
      BOOL,
      unary(text => isVersion(text, false)),
    ),
    overload('is_semver_string_bool', [STRING, BOOL], BOOL, binary(isVersion)),
  ),
  fn(
    'isGreaterThan',
    memberDeclaration(
      'semver_is_greater_than',
      [SEMVER, SEMVER],
      BOOL,
      binary((a, b) => compared(a, b, order => order > 0)),
    ),
  ),
  fn(
    'isLessThan',
    memberDeclaration(
      'semver_is_less_than',
      [SEMVER, SEMVER],
      BOOL,
      binary((a, b) => compared(a, b, order => order < 0)),
    ),
  ),
  fn(
    'compareTo',
    memberDeclaration(
      'semver_compare_to',
      [SEMVER, SEMVER],
      INT,
      binary((a, b) => compared(a, b, BigInt)),
    ),
  ),
  fn(
    'major',
    memberDeclaration(
      'semver_major',
      [SEMVER],
      INT,
      unary(v => numberOf(v, version => version.major)),
    ),
  ),
  fn(
    'minor',
    memberDeclaration(
      'semver_minor',
      [SEMVER],
      INT,
      unary(v => numberOf(v, version => version.minor)),
    ),
  ),
  fn(
    'patch',
    memberDeclaration(
      'semver_patch',
      [SEMVER],
      INT,
      unary(v => numberOf(v, version => version.patch)),
    ),
  ),
];

function parsedVersion(text: string, loose: boolean): Version | CelError {
  try {
    return loose ? parseLooseVersion(text) : parseVersion(text);
  } catch (error) {
    if (error instanceof VersionError) return celError(error.message);
    throw error;
  }
}

function toVersion(value: CelValue, loose: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined || typeof loose !== 'boolean') return noSuchOverload(value);
  const version = parsedVersion(text, loose);
  if ('kind' in version) return version;
  const goText = versionText(version);
  return versions.make({
    content: version,
    equals: other => compareSemvers(version, other) === 0,
    goText,
    goType: 'cel.Semver',
    hashedAs: 'nothing',
    inner: { goType: 'semver.Version', goText },
  });
}

function isVersion(value: CelValue, loose: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined || typeof loose !== 'boolean') return noSuchOverload(value);
  return !('kind' in parsedVersion(text, loose));
}

/** Numbers beyond int64 become negative, as in Go's conversion. */
function numberOf(value: CelValue, get: (version: Version) => bigint): CelValue {
  const version = versions.contentOf(value);
  return version === undefined ? noSuchOverload(value) : BigInt.asIntN(64, get(version));
}

function compared(a: CelValue, b: CelValue, answer: (order: number) => CelValue): CelValue {
  const left = versions.contentOf(a);
  const right = versions.contentOf(b);
  return left === undefined || right === undefined ? noSuchOverload(a) : answer(compareSemvers(left, right));
}
