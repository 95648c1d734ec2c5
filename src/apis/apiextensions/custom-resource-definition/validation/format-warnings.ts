import { isStringFormat } from '../../../../apiserver/registry/custom/string-formats.js';
import { quote } from '../../../../go/quote.js';
import { sameValue, stringAt, type Value, type ValueMap, valueAt } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { plainVersions } from './parts-of-versions.js';
import { someSchema } from './some-schema.js';

/**
 * Returns warnings about formats that are unknown for their type; on an update only those that the stored definition does not have. Source:
 * apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go.
 */
export function formatWarnings(server: ApiServer, definition: ValueMap, old?: ValueMap): string[] {
  const before = new Set(old === undefined ? [] : unknownFormats(server, old));
  return unknownFormats(server, definition)
    .filter(format => !before.has(format))
    .map(format => `unrecognized format ${quote(format)}`);
}

/**
 * Returns warnings about sets of lists or objects, once for each type; on an update only those that the stored definition does not have.
 * Source: getNonScalarListTypeSetWarnings.
 */
export function setWarnings(server: ApiServer, definition: ValueMap, old?: ValueMap): string[] {
  if (!server.since('v1.37')) return [];
  const before = new Set(old === undefined ? [] : typesInSets(server, old));
  return typesInSets(server, definition)
    .filter(type => !before.has(type))
    .map(type => `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`);
}

function typesInSets(server: ApiServer, definition: ValueMap): string[] {
  const found = new Set<string>();
  for (const version of plainVersions(server, definition))
    someSchema(valueAt(version, 'schema', 'openAPIV3Schema') ?? null, inner => {
      const type = stringAt(inner, 'items', 'type');
      if (stringAt(inner, 'x-kubernetes-list-type') === 'set' && (type === 'object' || type === 'array')) found.add(type);
      return false;
    });
  return [...found].sort();
}

function unknownFormats(server: ApiServer, definition: ValueMap): string[] {
  const schemas = plainVersions(server, definition).map(version => valueAt(version, 'schema', 'openAPIV3Schema') ?? null);
  const [first = null] = schemas;
  const isShared = schemas.every(schema => sameValue(schema, first));
  return (isShared ? schemas.slice(0, 1) : schemas).flatMap(value => unknownFormatsIn(server, value));
}

function unknownFormatsIn(server: ApiServer, schema: Value): string[] {
  const found: string[] = [];
  someSchema(schema, inner => {
    const format = stringAt(inner, 'format');
    if (format !== '' && !isKnownFormat(server, format, stringAt(inner, 'type'))) found.push(format);
    return false;
  });
  return found;
}

/**
 * Reports whether the API server knows a format for values of a type. Before v1.36 it knew no formats but those of strings, and ignored all others.
 * Source: validation/formats.go GetUnrecognizedFormats.
 */
export function isKnownFormat(server: ApiServer, format: string, type: string): boolean {
  if (!server.since('v1.36')) return type !== 'string' || isStringFormat(server, format);
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return (type === '' || type === 'string') && isStringFormat(server, format);
}
