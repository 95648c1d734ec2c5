// Recorded objects as an API server stores them in etcd: keys and values.

/** Resources whose objects are stored under another name. Source: kubernetes pkg/kubeapiserver/default_storage_factory_builder.go, SpecialDefaultResourcePrefixes. */
const specialPrefixes = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  ingresses: 'ingress',
};

/** Groups of the API servers for definitions and for aggregation, which put the group into the key, as custom resources do. */
const groupsWithKeys = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** Resources by `GROUP/KIND`, of aggregated discovery: `{ resource, isNamespaced, isCustom }`. */
export function resourcesOf(discoveries, customGroups) {
  const entries = discoveries.flatMap(({ items }) =>
    items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ resources = [] }) =>
        resources.map(({ resource, scope, responseKind: { kind } }) => {
          const group = metadata.name ?? '';
          return [`${group}/${kind}`, { resource, isNamespaced: scope === 'Namespaced', isCustom: customGroups.includes(group) }];
        }),
      ),
    ),
  );
  return new Map(entries);
}

/** Key of an object in etcd; undefined for a kind that the server does not serve. */
export function keyOf(object, resources) {
  const group = groupOf(object);
  const found = resources.get(`${group}/${object.kind}`);
  if (found === undefined) return undefined;
  const { resource, isNamespaced, isCustom } = found;
  const prefix = isCustom || groupsWithKeys.includes(group) ? `${group}/${resource}` : (specialPrefixes[resource] ?? resource);
  const { name, namespace } = object.metadata;
  return ['/registry', prefix, ...(isNamespaced ? [namespace] : []), name].join('/');
}

/** Path of an object in the API. */
export function pathOf(object, resources) {
  const { resource, isNamespaced } = resources.get(`${groupOf(object)}/${object.kind}`);
  const { name, namespace } = object.metadata;
  const root = object.apiVersion.includes('/') ? '/apis' : '/api';
  return [root, object.apiVersion, ...(isNamespaced ? ['namespaces', namespace] : []), resource, name].join('/');
}

function groupOf({ apiVersion }) {
  return apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
}

/** Value of an object in etcd: the server takes its version from the revision. Webhooks point at the webhook server. */
export function storedValue(object, { port, ca }) {
  const { resourceVersion, ...metadata } = object.metadata;
  const stored = { ...object, metadata: { uid: nameUid(object), creationTimestamp: '2026-01-01T00:00:00Z', ...metadata } };
  return Buffer.from(
    JSON.stringify(stored, (key, value) => {
      if (key !== 'clientConfig' || value === null || typeof value !== 'object' || value.url === undefined) return value;
      return { ...value, url: value.url.replace(/^https:\/\/[^/]+/, `https://127.0.0.1:${port}`), caBundle: ca };
    }),
  );
}

/** A uid for an object that was recorded without one: the same for the same object. */
function nameUid({ kind, metadata }) {
  const digits = Buffer.from(`${kind}/${metadata.namespace}/${metadata.name}`).toString('hex').padEnd(32, '0').slice(-32);
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}
