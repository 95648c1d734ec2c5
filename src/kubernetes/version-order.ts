/**
 * Compares versions in Kubernetes' order of preference: v2, v1, v11beta2, v10beta3, v3beta1, v1alpha1, then other names alphabetically.
 * Negative if a comes first. Source: apimachinery version.CompareKubeAwareVersionStrings.
 */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

const stabilities = ['alpha', 'beta', ''];

function parse(version: string): { readonly stability: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version);
  if (match === null) return undefined;
  return { stability: stabilities.indexOf(match[2] ?? ''), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
