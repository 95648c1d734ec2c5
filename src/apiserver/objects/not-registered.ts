import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';

/**
 * Returns the error for a kind without a Go type. It ends with the source location of the scheme's creation. Source: apimachinery
 * runtime/error.go.
 */
export function notRegistered(server: ApiServer, kind: GroupVersionKind): string {
  const version = quote(apiVersionOf(kind));
  if (kind.kind === '') return `no version ${version} has been registered in scheme "${schemeName(server)}"`;
  if (kind.version === '__internal') {
    return `no kind ${quote(kind.kind)} is registered for the internal version of group ${quote(kind.group)} in scheme "${schemeName(server)}"`;
  }
  return `no kind ${quote(kind.kind)} is registered for version ${version} in scheme "${schemeName(server)}"`;
}

/** A scheme is identified by the line of Go code that creates it. */
export function schemeName(server: ApiServer): string {
  return server.since('v1.35') && server.until('v1.37') ? 'pkg/runtime/scheme.go:111' : 'pkg/runtime/scheme.go:110';
}
