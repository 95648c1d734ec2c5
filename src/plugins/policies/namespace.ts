import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { presumedNamespace } from '../../apiserver/webhooks/select.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize, memoizeStrings } from '../../kubernetes/memoize.js';
import { notFound } from '../../kubernetes/status-errors.js';
import { asRead } from '../objects/listed-objects.js';
import { namespaceValue } from './variables.js';

/**
 * Returns the Namespace of a request as JSON; null for cluster-scoped requests, and for Namespaces themselves. Throws a 404 for a missing
 * one. Source: apiserver admission/plugin/policy/validating/dispatcher.go.
 */
export function namespaceOf({ namespace, kind }: Attributes, { storage, state, server }: AdmissionContext): ValueMap | null {
  if (namespace === '' || (kind.kind === 'Namespace' && kind.version === 'v1' && kind.group === '')) return null;
  const found = storage.find({ group: '', kind: 'Namespace' }, '', namespace);
  if (found !== undefined) return storedNamespace(server)(found);
  if (!state.presumesNamespaces) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return presumedValue(server)(namespace);
}

/** Thousands of requests are for few namespaces. */
const storedNamespace = memoize((server: ApiServer) => memoize((found: ValueMap) => namespaceValue(server, asRead(server, found))));

const presumedValue = memoize((server: ApiServer) =>
  memoizeStrings(1000, (name: string) => namespaceValue(server, presumedNamespace(name))),
);
