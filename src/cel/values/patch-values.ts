import { equal } from './equality.js';
import { structType, type Type } from './type.js';
import { type CelValue, celError, type ExtensionValue } from './value.js';

/** Name of the type of whole objects in mutations; types of their fields are named `Object.spec.containers`. */
const objectTypeName = 'Object';

/** Name of the type of JSON patch operations in mutations. */
export const jsonPatchTypeName = 'JSONPatch';

export const OBJECT = structType(objectTypeName);
export const JSON_PATCH = structType(jsonPatchTypeName);

/** Fields of an `Object{...}` or `Object.spec{...}` literal. */
export interface ObjectFields {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, CelValue>;
}

/** One operation of a JSON patch; absent strings are empty. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: CelValue | undefined;
}

/** Reports whether this is the name of a type that only mutations have. */
export function isPatchTypeName(name: string): boolean {
  return name === jsonPatchTypeName || name === objectTypeName || name.startsWith(`${objectTypeName}.`);
}

/** Value of a literal of such a type; undefined for other names. Source: apiserver pkg/cel/mutation. */
export function celPatchValue(typeName: string, fields: ReadonlyMap<string, CelValue>): CelValue | undefined {
  if (!isPatchTypeName(typeName)) return undefined;
  return typeName === jsonPatchTypeName ? operationValue(fields) : objectValue({ typeName, fields });
}

/** Returns the fields of an object literal; undefined for any other value. */
export function objectFieldsOf(value: CelValue): ObjectFields | undefined {
  return isExtension(value) ? objects.get(value) : undefined;
}

/** Returns the operation of a value; undefined for any other value. */
export function patchOperationOf(value: CelValue): PatchOperation | undefined {
  return isExtension(value) ? operations.get(value) : undefined;
}

const objects = new WeakMap<ExtensionValue, ObjectFields>();
const operations = new WeakMap<ExtensionValue, PatchOperation>();

function isExtension(value: CelValue): value is ExtensionValue {
  return typeof value === 'object' && value.kind === 'extension';
}

function objectValue(content: ObjectFields): ExtensionValue {
  const made = extension(structType(content.typeName), '*dynamic.ObjectVal', other => {
    const found = objectFieldsOf(other);
    return found !== undefined && sameFields(content, found);
  });
  objects.set(made, content);
  return made;
}

function operationValue(fields: ReadonlyMap<string, CelValue>): CelValue {
  const content = { op: '', path: '', from: '', value: fields.get('value') };
  for (const name of ['op', 'path', 'from'] as const) {
    const given = fields.get(name);
    if (given === undefined) continue;
    if (typeof given !== 'string') return celError(`unexpected type ${goTypeInside(given)} for JSONPatchType '${name}' field`);
    content[name] = given;
  }
  const made = extension(JSON_PATCH, '*mutation.JSONPatchVal', other => {
    const found = patchOperationOf(other);
    return found !== undefined && sameOperation(content, found);
  });
  operations.set(made, content);
  return made;
}

/** Fields of type `dyn` may have any value at run time. */
function goTypeInside(value: CelValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return goTypesInside[value.kind] ?? value.kind;
  }
}

const goTypesInside: Readonly<Record<string, string>> = {
  null: 'structpb.NullValue',
  uint: 'uint64',
  bytes: '[]uint8',
  list: '[]interface {}',
  map: 'map[string]interface {}',
  timestamp: 'time.Time',
  duration: 'time.Duration',
};

function extension(type: Type, goType: string, equals: (other: CelValue) => boolean): ExtensionValue {
  return { kind: 'extension', type, unitEqualityCost: true, hashedAs: 'itself', goText: type.name, goType, equals };
}

function sameFields(a: ObjectFields, b: ObjectFields): boolean {
  return (
    a.typeName === b.typeName &&
    a.fields.size === b.fields.size &&
    [...a.fields].every(([name, value]) => sameValue(value, b.fields.get(name)))
  );
}

function sameOperation(a: PatchOperation, b: PatchOperation): boolean {
  return a.op === b.op && a.path === b.path && a.from === b.from && sameValue(a.value, b.value);
}

function sameValue(a: CelValue | undefined, b: CelValue | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equal(a, b) === true;
}
