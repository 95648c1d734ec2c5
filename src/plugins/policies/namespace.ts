import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { presumedNamespace } from '../../apiserver/webhooks/select.js';
import type { ValueMap } from '../../go/value.js';
import { notFound } from '../../kubernetes/status-errors.js';
import { readObject } from '../listed-objects.js';
import { namespaceValue } from './variables.js';

/**
 * Returns the Namespace of a request as JSON; null for cluster-scoped requests, and for Namespaces themselves. Throws a 404 for a missing
 * one. Source: apiserver admission/plugin/policy/validating/dispatcher.go.
 */
export function namespaceOf({ namespace, kind }: Attributes, { storage, state, server }: AdmissionContext): ValueMap | null {
  if (namespace === '' || (kind.kind === 'Namespace' && kind.version === 'v1' && kind.group === '')) return null;
  const found = readObject({ storage }, { group: '', kind: 'Namespace' }, { namespace: '', name: namespace });
  if (found !== undefined) return namespaceValue(server, found);
  const presumed = state.presumesNamespaces ? presumedNamespace(namespace) : undefined;
  if (presumed === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return namespaceValue(server, presumed);
}
