import { quote } from '../../go/quote.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';

/**
 * Returns the error for a kind without a Go type. It ends with the source location of the scheme's creation. Source: apimachinery
 * runtime/error.go.
 */
export function notRegistered(kind: GroupVersionKind): string {
  const version = quote(apiVersionOf(kind));
  if (kind.kind === '') return `no version ${version} has been registered in scheme ${scheme}`;
  if (kind.version === '__internal') {
    return `no kind ${quote(kind.kind)} is registered for the internal version of group ${quote(kind.group)} in scheme ${scheme}`;
  }
  return `no kind ${quote(kind.kind)} is registered for version ${version} in scheme ${scheme}`;
}

const scheme = '"pkg/runtime/scheme.go:111"';
