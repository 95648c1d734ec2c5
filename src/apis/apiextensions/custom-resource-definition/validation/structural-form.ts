import { compilePattern } from '../../../../cel/values/regex.js';
import { isList, isMap, listAt, mapAt, sameValue, stringAt, toValue, type Value, type ValueMap } from '../../../../go/value.js';
import { type FieldError, forbiddenField, invalidValue, printFieldError, required } from '../../../../kubernetes/field-error.js';

/** Members that prevent any structure in a schema: text, a schema, or a map. */
const withoutStructure = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'];

/**
 * Returns why a schema cannot be analyzed as a structural one, valid or not; undefined if it can. Source: apiextensions-apiserver schema/convert.go
 * NewStructural.
 */
export function structureFault(schema: Value | undefined): string | undefined {
  if (!isMap(schema)) return undefined;
  const unsupported = withoutStructure.find(name => isUnsupported(name, schema.get(name)));
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported.replace('$schema', 'schema')}' is not supported`;
  const branches = ['not', 'allOf', 'anyOf', 'oneOf'].flatMap(name => schema.get(name) ?? []);
  return (
    firstFault(branches) ??
    (schema.get('x-kubernetes-preserve-unknown-fields') === false
      ? "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
      : undefined) ??
    (listAt(schema, 'items').length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined) ??
    firstFault([schema.get('items'), ...(mapAt(schema, 'properties')?.values() ?? []), schema.get('additionalProperties')])
  );
}

function isUnsupported(name: string, value: Value | undefined): boolean {
  // In Go it is a pointer.
  if (name === 'additionalItems') return value !== undefined;
  return isMap(value) ? value.size > 0 : isSet(value);
}

function firstFault(schemas: readonly (Value | undefined)[]): string | undefined {
  for (const schema of schemas) {
    const fault = structureFault(schema);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Reports whether a schema can be analyzed as a structural one. */
export function hasStructure(schema: ValueMap): boolean {
  return structureFault(schema) === undefined;
}

/** Reports whether a schema is structural. */
export function isStructural(schema: ValueMap): boolean {
  return hasStructure(schema) && structuralFormErrors(schema, '').length === 0;
}

type Level = 'root' | 'item' | 'field';

/**
 * Returns the violations of the structural form, in the order of the messages. Source: apiextensions-apiserver schema/validation.go
 * ValidateStructural.
 */
export function structuralFormErrors(schema: ValueMap, path: string): FieldError[] {
  const errors = [
    ...invariantErrors(schema, 'root', path),
    ...branchesOf(schema).flatMap(([at, b]) => missing(b, schema, path, `${path}.${at}`)),
  ];
  const texts = new Map(errors.map(error => [error, printFieldError(error)]));
  return errors.sort((a, b) => Buffer.compare(Buffer.from(texts.get(a) ?? ''), Buffer.from(texts.get(b) ?? '')));
}

const isTrue = (schema: ValueMap, extension: string): boolean => schema.get(`x-kubernetes-${extension}`) === true;

function invariantErrors(schema: ValueMap, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  const items = mapAt(schema, 'items');
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (items !== undefined) errors.push(...invariantErrors(items, 'item', `${path}.items`));
  for (const [name, property] of mapAt(schema, 'properties') ?? [])
    if (isMap(property)) errors.push(...invariantErrors(property, 'field', `${path}.properties[${name}]`));
  const others = schema.get('additionalProperties');
  if (others !== undefined && level === 'root') errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  if (isMap(others)) errors.push(...invariantErrors(others, 'field', `${path}.additionalProperties`));
  return [
    ...errors,
    ...extensionErrors(schema, path),
    ...valueErrors(schema, path),
    ...typeErrors(schema, level, path),
    ...objectErrors(schema, level, path),
  ];
}

function extensionErrors(schema: ValueMap, path: string): FieldError[] {
  if (!isTrue(schema, 'int-or-string')) return [];
  return ['preserve-unknown-fields', 'embedded-resource']
    .filter(name => isTrue(schema, name))
    .map(name => invalidValue(`${path}.x-kubernetes-${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeErrors(schema: ValueMap, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(schema, 'type');
  const field = `${path}.type`;
  if (isTrue(schema, 'embedded-resource') && type !== 'object') {
    const message = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(field, message) : invalidValue(field, type, message));
  } else if (type === '' && !isTrue(schema, 'int-or-string') && !isTrue(schema, 'preserve-unknown-fields'))
    errors.push(required(field, untyped[level]));
  if (isTrue(schema, 'embedded-resource') && schema.has('additionalProperties'))
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalidValue(field, type, 'must be object at the root'));
  return errors;
}

const untyped: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Validates the schema of a whole object, whose own members allow few settings. */
function objectErrors(schema: ValueMap, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const isObject = level === 'root' || isTrue(schema, 'embedded-resource');
  const properties = mapAt(schema, 'properties') ?? new Map<string, Value>();
  for (const name of isObject ? ['kind', 'apiVersion'] : []) {
    const type = stringAt(properties.get(name), 'type');
    if (properties.has(name) && type !== 'string') errors.push(invalidValue(`${path}.properties[${name}].type`, type, 'must be string'));
  }
  const metadata = properties.get('metadata');
  const field = `${path}.properties[metadata]`;
  if (isMap(metadata) && isObject && stringAt(metadata, 'type') !== 'object')
    errors.push(invalidValue(`${field}.type`, stringAt(metadata, 'type'), 'must be object'));
  if (isMap(metadata) && level === 'root' && !namesOnly(metadata)) {
    errors.push(forbiddenField(field, 'must not specify anything other than name and generateName, but metadata is implicitly specified'));
  }
  if (isTrue(schema, 'embedded-resource') && !isTrue(schema, 'preserve-unknown-fields') && properties.size === 0) {
    const message = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, message));
  }
  return errors;
}

function namesOnly(metadata: ValueMap): boolean {
  const names = [...(mapAt(metadata, 'properties') ?? new Map<string, Value>()).keys()];
  const known = ['type', 'default', 'properties'];
  const isKnown = (key: string): boolean => known.includes(key) || (copiedLists.includes(key) && listAt(metadata, key).length === 0);
  return names.every(name => name === 'name' || name === 'generateName') && [...metadata.keys()].every(isKnown);
}

/** Lists that are copied item by item to the structural form: empty ones are not set in it. */
const copiedLists = ['enum', 'allOf', 'anyOf', 'oneOf'];

/** Returns the schemas in `anyOf`, `allOf`, `oneOf` and `not`, which only restrict the allowed values. */
function branchesOf(schema: ValueMap, leftOut: readonly string[] = []): [at: string, branch: ValueMap][] {
  const lists = ['anyOf', 'allOf', 'oneOf'].filter(name => !leftOut.includes(name));
  const branches = lists.flatMap(name =>
    listAt(schema, name).flatMap((branch, i): [string, ValueMap][] => (isMap(branch) ? [[`${name}[${i}]`, branch]] : [])),
  );
  const not = mapAt(schema, 'not');
  return not === undefined ? branches : [...branches, ['not', not]];
}

const integerOrText = toValue([{ type: 'integer' }, { type: 'string' }]);

/** `additionalProperties: false` says nothing here. Source: apiextensions-apiserver schema/convert.go newNestedValueValidation. */
function isIntegerOrText(schema: Value | undefined): boolean {
  if (!isMap(schema)) return false;
  const branches = listAt(schema, 'anyOf').map(branch =>
    isMap(branch) && branch.get('additionalProperties') === false
      ? new Map([...branch].filter(([name]) => name !== 'additionalProperties'))
      : branch,
  );
  return sameValue(branches, integerOrText);
}

/** Validates the branches; integer and string may be spelled out below `anyOf`, or below the first `allOf`. */
function valueErrors(schema: ValueMap, path: string, mayNameTypes = true): FieldError[] {
  const errors = branchesOf(schema, mayNameTypes && isIntegerOrText(schema) ? ['anyOf'] : []).flatMap(([at, branch]) => {
    const namesTypes = mayNameTypes && at === 'allOf[0]' && isIntegerOrText(branch);
    return nestedErrors(branch, `${path}.${at}`, namesTypes);
  });
  const pattern = stringAt(schema, 'pattern');
  const compiled = pattern === '' ? undefined : compilePattern(pattern);
  if (compiled !== undefined && 'error' in compiled)
    errors.push(invalidValue(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${compiled.error}`));
  return errors;
}

/** Members that define structure, with the message of their error. */
const forbiddenInside: readonly (readonly [name: string, message: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedErrors(schema: ValueMap, path: string, namesTypes: boolean): FieldError[] {
  const errors = namesTypes ? [] : valueErrors(schema, path, false);
  const items = mapAt(schema, 'items');
  if (items !== undefined) errors.push(...nestedErrors(items, `${path}.items`, false));
  const properties = mapAt(schema, 'properties') ?? new Map<string, Value>();
  for (const [name, property] of properties)
    if (isMap(property)) errors.push(...nestedErrors(property, `${path}.properties[${name}]`, false));
  for (const [name, message] of forbiddenInside) if (isSet(schema.get(name))) errors.push(forbiddenField(`${path}.${name}`, message));
  if (properties.has('metadata')) errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  return errors;
}

function isSet(value: Value | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && !(isList(value) && value.length === 0);
}

/** Returns errors for members that a branch specifies and the schema itself does not. */
function missing(branch: ValueMap, schema: ValueMap | undefined, at: string, where: string): FieldError[] {
  if (schema === undefined) return [required(at, `because it is defined in ${where}`)];
  const errors = branchesOf(branch).flatMap(([name, inner]) => missing(inner, schema, at, `${where}.${name}`));
  const items = mapAt(branch, 'items');
  if (items !== undefined) errors.push(...missing(items, mapAt(schema, 'items'), `${at}.items`, `${where}.items`));
  for (const [name, property] of mapAt(branch, 'properties') ?? []) {
    const [from, to] = [`${where}.properties[${name}]`, `${at}.properties[${name}]`];
    if (isMap(property)) errors.push(...missing(property, mapAt(schema, 'properties', name), to, from));
  }
  return errors;
}
