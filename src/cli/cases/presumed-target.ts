import { randomUUID } from 'node:crypto';
import type { ApiCall } from '../../kubernetes/api-call.js';
import { stringAt, toValue, type ValueMap } from '../../kubernetes/value.js';

const targets =
  /^\/api\/v1\/(?:namespaces\/([^/?]+)\/)?(pods|nodes|serviceaccounts)\/([^/?]+)\/(exec|attach|portforward|proxy|eviction|binding|token)(?:[/?]|$)/;

const kinds: Readonly<Record<string, string>> = { pods: 'Pod', nodes: 'Node', serviceaccounts: 'ServiceAccount' };

/**
 * The pod, node or service account a connection, eviction, binding or token is for: cases about selection leave it out, as no webhook sees it. Undefined for other
 * calls, and when it is there.
 */
export function presumedTarget({ path }: ApiCall, objects: readonly ValueMap[]): ValueMap | undefined {
  const [, namespace = '', resource = '', name = ''] = targets.exec(path) ?? [];
  if (name === '') return undefined;
  const kind = kinds[resource] ?? '';
  const isThere = objects.some(
    o => stringAt(o, 'kind') === kind && stringAt(o, 'metadata', 'name') === name && stringAt(o, 'metadata', 'namespace') === namespace,
  );
  return isThere
    ? undefined
    : objectOf({ kind, apiVersion: 'v1', metadata: { name, ...(namespace === '' ? {} : { namespace }), uid: randomUUID() } });
}

function objectOf(data: Record<string, unknown>): ValueMap {
  return toValue(data) as ValueMap;
}
