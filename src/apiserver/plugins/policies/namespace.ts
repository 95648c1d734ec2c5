import { notFound } from '../../../kubernetes/status-errors.js';
import type { ValueMap } from '../../../kubernetes/value.js';
import type { Attributes } from '../../admission/attributes.js';
import type { AdmissionContext } from '../../admission/chain.js';
import { presumedNamespace } from '../../webhooks/select.js';
import { readObject } from '../listed-objects.js';
import { namespaceValue } from './variables.js';

/**
 * The Namespace of a request as JSON; null for cluster-scoped requests, and for Namespaces themselves. Throws the 404 for one that does
 * not exist. Source: apiserver admission/plugin/policy/validating/dispatcher.go.
 */
export function namespaceOf({ namespace, kind }: Attributes, { storage, state }: AdmissionContext): ValueMap | null {
  if (namespace === '' || (kind.kind === 'Namespace' && kind.version === 'v1' && kind.group === '')) return null;
  const found = readObject({ storage }, { group: '', kind: 'Namespace' }, { namespace: '', name: namespace });
  if (found !== undefined) return namespaceValue(found);
  const presumed = state.presumesNamespaces ? presumedNamespace(namespace) : undefined;
  if (presumed === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return namespaceValue(presumed);
}
