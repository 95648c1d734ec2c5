import { goString } from '../../../../go/json/write.js';
import { listAt, mapAt, stringAt, type Value, valueAt } from '../../../../go/value.js';
import { areAlike, memberOf } from '../../parts-of-all.js';
import { internalSchema } from './internal-form.js';

/**
 * Returns the versions of a definition as JSON of Go's internal type, whose fields have no JSON names. Members that are equal in all
 * versions are stored once for all, and are null in each. Source: apiextensions-apiserver apis/apiextensions/types.go, v1/conversion.go.
 */
export function internalVersions(versions: readonly Value[]): string {
  const own = (version: Value, name: string, write: (member: Value) => string): string => {
    const member = memberOf(version, name);
    return member === null || areAlike(versions, name) ? 'null' : write(member);
  };
  const written = versions.map(version => {
    const members = [
      `"Name":${goString(stringAt(version, 'name'))}`,
      `"Served":${valueAt(version, 'served') === true}`,
      `"Storage":${valueAt(version, 'storage') === true}`,
      `"Deprecated":${valueAt(version, 'deprecated') === true}`,
      `"DeprecationWarning":${textOrNull(valueAt(version, 'deprecationWarning'))}`,
      `"Schema":${own(version, 'schema', validation)}`,
      `"Subresources":${own(version, 'subresources', subresources)}`,
      `"AdditionalPrinterColumns":${own(version, 'additionalPrinterColumns', columns => listOf(columns, column))}`,
      `"SelectableFields":${own(version, 'selectableFields', fields => listOf(fields, field => `{"JSONPath":${goString(stringAt(field, 'jsonPath'))}}`))}`,
    ];
    return `{${members.join(',')}}`;
  });
  return `[${written.join(',')}]`;
}

function textOrNull(value: Value | undefined): string {
  return typeof value === 'string' ? goString(value) : 'null';
}

function listOf(list: Value, write: (item: Value) => string): string {
  return `[${listAt(list).map(write).join(',')}]`;
}

function validation(schema: Value): string {
  const props = mapAt(schema, 'openAPIV3Schema');
  return `{"OpenAPIV3Schema":${props === undefined ? 'null' : internalSchema(props)}}`;
}

function subresources(value: Value): string {
  const scale = mapAt(value, 'scale');
  const paths = [
    `"SpecReplicasPath":${goString(stringAt(scale, 'specReplicasPath'))}`,
    `"StatusReplicasPath":${goString(stringAt(scale, 'statusReplicasPath'))}`,
    `"LabelSelectorPath":${textOrNull(valueAt(scale, 'labelSelectorPath'))}`,
  ];
  return `{"Status":${mapAt(value, 'status') === undefined ? 'null' : '{}'},"Scale":${scale === undefined ? 'null' : `{${paths.join(',')}}`}}`;
}

function column(value: Value): string {
  const [name, type, format, description, jsonPath] = ['name', 'type', 'format', 'description', 'jsonPath'].map(key =>
    goString(stringAt(value, key)),
  );
  const priority = String(valueAt(value, 'priority') ?? 0n);
  return `{"Name":${name},"Type":${type},"Format":${format},"Description":${description},"Priority":${priority},"JSONPath":${jsonPath}}`;
}
