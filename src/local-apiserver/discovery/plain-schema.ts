import { writeValue } from '../../go/json/write.js';
import { toValue, type ValueMap } from '../../go/value.js';

type Plain = Record<string, unknown>;

const metaProperties = ['apiVersion', 'kind', 'metadata'];

/**
 * Returns the schema of a definition's version as published in OpenAPI: with the members of every object, and without extensions for the
 * server.
 */
export function plainSchema(schema: ValueMap | undefined, published: Readonly<Plain>): Plain {
  const own =
    schema === undefined
      ? { 'x-kubernetes-preserve-unknown-fields': true }
      : publishedSchema(JSON.parse(writeValue(toValue(schema), 'kept')) as Plain);
  const properties = (own['properties'] ?? {}) as Plain;
  const meta = Object.fromEntries(metaProperties.map(name => [name, published[name]]));
  return { ...own, type: 'object', properties: { ...properties, ...meta } };
}

/** Rules are for the server only; int-or-string is converted to OpenAPI's form. */
function publishedSchema(schema: Plain): Plain {
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== 'x-kubernetes-validations' && key !== 'x-kubernetes-embedded-resource'),
  );
  const inner = (key: string): Plain => {
    const value = kept[key];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { [key]: publishedSchema(value as Plain) } : {};
  };
  const properties = kept['properties'] as Record<string, Plain> | undefined;
  return {
    ...kept,
    ...(kept['x-kubernetes-int-or-string'] === true ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
    ...inner('items'),
    ...inner('additionalProperties'),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, publishedSchema(value)])) }),
  };
}
