import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { deprecationOf } from '../../kubernetes/deprecated-kinds.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { compareVersions } from '../../kubernetes/version-order.js';

/** The warning every call on a deprecated version gets; undefined for others. Source: apiserver handlers, endpoints/deprecation. */
export function deprecationWarning(server: ApiServer, { kind }: Resource, definition: ValueMap | undefined): string | undefined {
  if (definition === undefined) {
    const name = `${apiVersionOf(kind)} ${kind.kind}`;
    const deprecation = deprecationOf(server, name);
    const minor = Number(server.minor.slice('v1.'.length));
    return deprecation === undefined || minor < deprecation.since ? undefined : `${name} is deprecated ${deprecation.message}`;
  }
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === kind.version);
  if (version === undefined || valueAt(version, 'deprecated') !== true) return undefined;
  const given = valueAt(version, 'deprecationWarning');
  return typeof given === 'string' ? given : defaultWarning(kind, definition);
}

/** Returns the default warning, which names the replacement: the first served version in Kubernetes' order that is not deprecated. */
function defaultWarning(kind: GroupVersionKind, definition: ValueMap): string {
  const usable = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true && valueAt(v, 'deprecated') !== true);
  const [newest] = usable.map(v => stringAt(v, 'name')).sort(compareVersions);
  const message = `${apiVersionOf(kind)} ${kind.kind} is deprecated`;
  return newest === undefined ? message : `${message}; use ${kind.group}/${newest} ${kind.kind}`;
}
