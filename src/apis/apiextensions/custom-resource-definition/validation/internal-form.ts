import { goString, writeValue } from '../../../../go/json/write.js';
import { compareKeys } from '../../../../go/key-order.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../../../go/value.js';

/** Fields of Go's internal type in order, by their JSON names, with their zero values. */
const fields: readonly (readonly [name: string, member: string, zero: string])[] = [
  ['ID', 'id', '""'],
  ['Schema', '$schema', '""'],
  ['Ref', '$ref', 'null'],
  ['Description', 'description', '""'],
  ['Type', 'type', '""'],
  ['Nullable', 'nullable', 'false'],
  ['Format', 'format', '""'],
  ['Title', 'title', '""'],
  ['Default', 'default', 'null'],
  ['Maximum', 'maximum', 'null'],
  ['ExclusiveMaximum', 'exclusiveMaximum', 'false'],
  ['Minimum', 'minimum', 'null'],
  ['ExclusiveMinimum', 'exclusiveMinimum', 'false'],
  ['MaxLength', 'maxLength', 'null'],
  ['MinLength', 'minLength', 'null'],
  ['Pattern', 'pattern', '""'],
  ['MaxItems', 'maxItems', 'null'],
  ['MinItems', 'minItems', 'null'],
  ['UniqueItems', 'uniqueItems', 'false'],
  ['MultipleOf', 'multipleOf', 'null'],
  ['Enum', 'enum', 'null'],
  ['MaxProperties', 'maxProperties', 'null'],
  ['MinProperties', 'minProperties', 'null'],
  ['Required', 'required', 'null'],
  ['Items', 'items', 'null'],
  ['AllOf', 'allOf', 'null'],
  ['OneOf', 'oneOf', 'null'],
  ['AnyOf', 'anyOf', 'null'],
  ['Not', 'not', 'null'],
  ['Properties', 'properties', 'null'],
  ['AdditionalProperties', 'additionalProperties', 'null'],
  ['PatternProperties', 'patternProperties', 'null'],
  ['Dependencies', 'dependencies', 'null'],
  ['AdditionalItems', 'additionalItems', 'null'],
  ['Definitions', 'definitions', 'null'],
  ['ExternalDocs', 'externalDocs', 'null'],
  ['Example', 'example', 'null'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', 'null'],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', 'false'],
  ['XIntOrString', 'x-kubernetes-int-or-string', 'false'],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', 'null'],
  ['XListType', 'x-kubernetes-list-type', 'null'],
  ['XMapType', 'x-kubernetes-map-type', 'null'],
  ['XValidations', 'x-kubernetes-validations', 'null'],
];

/** Returns the fields of the internal type that a schema sets, in the type's order. */
export function internalFieldsOf(schema: ValueMap): string[] {
  return fields.filter(([, member]) => schema.has(member)).map(([name]) => name);
}

/** Returns a schema as Go writes the internal type, whose fields have no JSON names. */
export function internalSchema(schema: ValueMap): string {
  const members = fields.map(([name, member, zero]) => {
    const value = schema.get(member);
    return `"${name}":${value === undefined ? zero : written(name, value)}`;
  });
  return `{${members.join(',')}}`;
}

/** Returns a rule of a schema as Go writes the internal type. */
export function internalRule(rule: ValueMap): string {
  const text = (name: string): string => goString(stringAt(rule, name));
  const reason = rule.get('reason');
  const members = [
    `"Rule":${text('rule')}`,
    `"Message":${text('message')}`,
    `"MessageExpression":${text('messageExpression')}`,
    `"Reason":${typeof reason === 'string' ? goString(reason) : 'null'}`,
    `"FieldPath":${text('fieldPath')}`,
    `"OptionalOldSelf":${rule.get('optionalOldSelf') ?? 'null'}`,
  ];
  return `{${members.join(',')}}`;
}

/** Returns the `items` of a schema as Go writes the internal type: one schema or several. */
export function internalItems(items: Value): string {
  return isList(items) ? `{"Schema":null,"JSONSchemas":${writtenList(items)}}` : `{"Schema":${schemaOr(items)},"JSONSchemas":null}`;
}

function written(name: string, value: Value): string {
  switch (name) {
    case 'Items':
      return internalItems(value);
    case 'AdditionalProperties':
    case 'AdditionalItems':
      return `{"Allows":${value !== false},"Schema":${schemaOr(value)}}`;
    case 'AllOf':
    case 'OneOf':
    case 'AnyOf':
      return writtenList(isList(value) ? value : []);
    case 'Not':
      return schemaOr(value);
    case 'Properties':
    case 'PatternProperties':
    case 'Definitions':
      return writtenMembers(isMap(value) ? value : new Map());
    case 'Dependencies':
      return writtenMembers(isMap(value) ? value : new Map(), schemaOrNames);
    case 'ExternalDocs':
      return `{"Description":${goString(stringAt(value, 'description'))},"URL":${goString(stringAt(value, 'url'))}}`;
    case 'XValidations':
      return `[${(isList(value) ? value : []).map(rule => (isMap(rule) ? internalRule(rule) : 'null')).join(',')}]`;
    default:
      return writeValue(value, 'sorted');
  }
}

function writtenList(list: readonly Value[]): string {
  return `[${list.map(schemaOr).join(',')}]`;
}

function writtenMembers(members: ValueMap, write = schemaOr): string {
  const sorted = [...members].sort(([a], [b]) => compareKeys(a, b));
  return `{${sorted.map(([name, schema]) => `${goString(name)}:${write(schema)}`).join(',')}}`;
}

function schemaOrNames(value: Value): string {
  return `{"Schema":${schemaOr(value)},"Property":${isList(value) ? writeValue(value, 'sorted') : 'null'}}`;
}

function schemaOr(value: Value): string {
  return isMap(value) ? internalSchema(value) : 'null';
}
