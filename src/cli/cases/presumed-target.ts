import type { ApiCall } from '../../kubernetes/api-call.js';
import { stringAt, toValue, type ValueMap } from '../../kubernetes/value.js';

const targets = /^\/api\/v1\/(?:namespaces\/([^/?]+)\/)?(pods|nodes)\/([^/?]+)\/(exec|attach|portforward|proxy|eviction|binding)(?:[/?]|$)/;

/**
 * The pod or node a connection, eviction or binding is for: cases about selection leave it out, as no webhook sees it. Undefined for other
 * calls, and when it is there.
 */
export function presumedTarget({ path }: ApiCall, objects: readonly ValueMap[]): ValueMap | undefined {
  const [, namespace = '', resource = '', name = ''] = targets.exec(path) ?? [];
  if (name === '') return undefined;
  const kind = resource === 'pods' ? 'Pod' : 'Node';
  const isThere = objects.some(
    o => stringAt(o, 'kind') === kind && stringAt(o, 'metadata', 'name') === name && stringAt(o, 'metadata', 'namespace') === namespace,
  );
  return isThere ? undefined : objectOf({ kind, apiVersion: 'v1', metadata: { name, ...(namespace === '' ? {} : { namespace }) } });
}

function objectOf(data: Record<string, unknown>): ValueMap {
  return toValue(data) as ValueMap;
}
