/** Returns the definition of Foos in the group a.com, with one version that has these members. */
export function fooDefinition(version: object = {}): object {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.a.com' },
    spec: {
      group: 'a.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  };
}
