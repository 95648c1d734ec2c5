import type { Plain } from './plain-schema.js';

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Members that OpenAPI v3 adds to a schema with `x-kubernetes-embedded-resource`. Source: apiextensions-apiserver controller/openapi/builder addEmbeddedProperties. */
export const embeddedMembers = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
  metadata: {
    description: `Standard object's metadata. More info: ${conventions}#metadata`,
    allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
  },
};

/** Returns the required members of an embedded object. */
export function embeddedRequired(schema: Readonly<Plain>): string[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return [...required, ...['kind', 'apiVersion'].filter(name => !required.includes(name))];
}
