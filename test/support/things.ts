/** Returns the definition of the custom resource `things` in example.com; `more` are members of its spec. */
export function thingsDefinition(versions: readonly object[], more: object = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions,
      ...more,
    },
  };
}

/** Returns a served version of `things`; v1 is the stored one. */
export function thingsVersion(openAPIV3Schema: object = { type: 'object' }, more: object = {}, name = 'v1') {
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema }, ...more };
}
