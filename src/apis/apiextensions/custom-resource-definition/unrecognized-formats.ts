import { isStringFormat } from '../../../apiserver/registry/custom/string-formats.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { since } from '../../../kubernetes/kubernetes-version.js';

/** Warnings about formats that count for nothing, except those the old definition had. Source: apiextensions-apiserver customresourcedefinition/strategy.go. */
export function formatWarnings(definition: ValueMap, old: ValueMap | undefined): string[] {
  const known = new Set(old === undefined ? [] : formatsIn(old));
  return formatsIn(definition)
    .filter(format => !known.has(format))
    .map(format => `unrecognized format ${JSON.stringify(format)}`);
}

function formatsIn(definition: ValueMap): string[] {
  const schemas = listAt(definition, 'spec', 'versions').map(version => mapAt(version, 'schema', 'openAPIV3Schema'));
  return [mapAt(definition, 'spec', 'validation', 'openAPIV3Schema'), ...schemas].flatMap(schema => formatsOf(schema));
}

const lists = ['allOf', 'anyOf', 'oneOf'];
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** In the order of the API server, which goes through maps in random order. */
function formatsOf(schema: Value | undefined): string[] {
  if (!isMap(schema)) return [];
  const format = stringAt(schema, 'format');
  const items = schema.get('items');
  const parts = [
    ...(isList(items) ? items : [items]),
    ...lists.flatMap(name => listAt(schema, name)),
    schema.get('not'),
    ...maps.slice(0, 1).flatMap(name => [...(mapAt(schema, name)?.values() ?? [])]),
    schema.get('additionalProperties'),
    ...maps.slice(1).flatMap(name => [...(mapAt(schema, name)?.values() ?? [])]),
    schema.get('additionalItems'),
  ];
  const own = format !== '' && isUnrecognized(format, stringAt(schema, 'type')) ? [format] : [];
  return [...own, ...parts.flatMap(formatsOf)];
}

/** Source: apiextensions-apiserver pkg/apiserver/validation/formats.go GetUnrecognizedFormats. */
function isUnrecognized(format: string, type: string): boolean {
  if (!since('v1.36')) return type === 'string' && !isStringFormat(format);
  if (type === '' || type === 'string') return !isStringFormat(format);
  if (type === 'integer') return format !== 'int32' && format !== 'int64';
  if (type === 'number') return format !== 'float' && format !== 'double';
  return true;
}
