import { apiVersionOf, type GroupVersionKind } from '../kubernetes/group-version.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../kubernetes/value.js';
import { compareVersions } from '../kubernetes/version-order.js';

/** Built-in kinds that are on their way out, by apiVersion and kind. Source: kubernetes APILifecycleDeprecated of each type. */
const deprecatedKinds: Readonly<Record<string, string>> = {
  'v1 Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  'v1 ComponentStatus': 'v1 ComponentStatus is deprecated in v1.19+',
};

/** The warning every call on a deprecated version gets; undefined for others. Source: apiserver handlers, endpoints/deprecation. */
export function deprecationWarning({ kind }: Resource, definition: ValueMap | undefined): string | undefined {
  if (definition === undefined) return deprecatedKinds[`${apiVersionOf(kind)} ${kind.kind}`];
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === kind.version);
  if (version === undefined || valueAt(version, 'deprecated') !== true) return undefined;
  const given = valueAt(version, 'deprecationWarning');
  return typeof given === 'string' ? given : defaultWarning(kind, definition);
}

/** Names the version to use instead: the first by Kubernetes' order that is served and not deprecated itself. */
function defaultWarning(kind: GroupVersionKind, definition: ValueMap): string {
  const usable = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true && valueAt(v, 'deprecated') !== true);
  const [newest] = usable.map(v => stringAt(v, 'name')).sort(compareVersions);
  const words = `${apiVersionOf(kind)} ${kind.kind} is deprecated`;
  return newest === undefined ? words : `${words}; use ${kind.group}/${newest} ${kind.kind}`;
}
