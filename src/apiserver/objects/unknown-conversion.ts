import type { GroupVersionKind } from '../../kubernetes/group-version.js';

/** Returns the error for a document of another kind than expected. Source: apimachinery conversion/converter.go. */
export function unknownConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  return `converting (${from.version}.${from.kind}) to (${internalPackage(to)}.${to.kind}): unknown conversion`;
}

/** Returns the Go package of the internal types: the group's first word, `core` for the core group. */
function internalPackage({ group }: GroupVersionKind): string {
  return group === '' ? 'core' : (group.split('.', 1)[0] ?? group);
}
