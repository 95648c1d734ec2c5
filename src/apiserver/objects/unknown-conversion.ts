import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';

/** Returns the error for a document of another kind than expected. Source: apimachinery conversion/converter.go. */
export function unknownConversion({ scheme }: ApiServer, from: GroupVersionKind, to: GroupVersionKind): string {
  return `converting (${from.version}.${from.kind}) to (${scheme.internalPackage(to.group)}.${to.kind}): unknown conversion`;
}
