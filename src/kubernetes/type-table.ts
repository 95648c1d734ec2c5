import { createRequire } from 'node:module';
import { apiVersionOf, type GroupVersionKind } from './group-version.js';
import type { FieldSchema, LeafName, Schema, StructSchema } from './schema.js';

/** The schema of a built-in kind; undefined for kinds the API server's own types do not hold. */
export function schemaOfKind(kind: GroupVersionKind): StructSchema | undefined {
  const table = typeTable();
  const name = table.kinds[`${apiVersionOf(kind)}/${kind.kind}`] ?? table.commonKinds[kind.kind];
  return name === undefined ? undefined : structNamed(name);
}

/** Is this group, version and kind registered in the API server's scheme? */
export function isRegisteredKind(kind: GroupVersionKind): boolean {
  return schemaOfKind(kind) !== undefined;
}

/** `apiVersion/Kind` of every built-in kind. */
export function registeredKinds(): readonly string[] {
  return Object.keys(typeTable().kinds);
}

/** The schema of a Go struct by the table's name, `core/v1.PodSpec`. Made once, when first asked for. Throws for a name that is not in the table. */
export function structNamed(name: string): StructSchema {
  const known = structs.get(name);
  if (known !== undefined) return known;
  const row = typeTable().types[name];
  if (row === undefined) throw new Error(`no type ${name} in the table of Kubernetes types`);
  const made = lazyStruct(name, typeof row === 'string' ? (JSON.parse(row) as TypeRow) : row);
  structs.set(name, made);
  return made;
}

const structs = new Map<string, StructSchema>();

interface TypeRow {
  readonly fields: readonly FieldRow[];
  readonly mapType?: 'atomic';
}

interface FieldRow {
  readonly json?: string;
  readonly go: string;
  readonly type: TypeExpression;
  readonly omitempty?: boolean;
  readonly omitzero?: boolean;
  readonly pointer?: boolean;
  readonly inline?: boolean;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly listType?: 'map' | 'set' | 'atomic';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly default?: unknown;
}

type TypeExpression = string | { readonly [shape: string]: TypeExpression };

interface TypeTable {
  readonly version: string;
  readonly kinds: Readonly<Record<string, string>>;
  readonly commonKinds: Readonly<Record<string, string>>;
  /** The build leaves rows as JSON text: of hundreds, a call touches a few. */
  readonly types: Readonly<Record<string, TypeRow | string>>;
}

let loaded: TypeTable | undefined;

/** Names of Go types that the schema does not tell, by struct and field: of named strings, maps and lists. */
interface GoTypeTable {
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

let goTypes: GoTypeTable | undefined;

function goTypeOf(structName: string, field: string): string | undefined {
  goTypes ??= createRequire(import.meta.url)('./tables/go-types-v1.36.json') as GoTypeTable;
  return goTypes.types[structName]?.[field];
}

/** Read when the first kind is touched: half a megabyte that most of the program never needs. */
function typeTable(): TypeTable {
  loaded ??= createRequire(import.meta.url)('./tables/types-v1.36.json') as TypeTable;
  return loaded;
}

function lazyStruct(name: string, row: TypeRow): StructSchema {
  let fields: readonly FieldSchema[] | undefined;
  let byName: ReadonlyMap<string, FieldSchema> | undefined;
  return {
    type: 'struct',
    name,
    goName: name.slice(name.lastIndexOf('/') + 1),
    get fields() {
      fields ??= fieldsOf(name, row);
      return fields;
    },
    get fieldsByName() {
      byName ??= new Map(this.fields.map(f => [f.name, f]));
      return byName;
    },
    mapType: row.mapType,
  };
}

function fieldsOf(structName: string, row: TypeRow): FieldSchema[] {
  const declaredBy = structName.slice(structName.lastIndexOf('.') + 1);
  return row.fields.flatMap(f => {
    if (f.inline !== true && f.json !== undefined) return [fieldOf(f, f.json, structName)];
    return inlined(f).map(inner => throughStruct(inner, f.go, declaredBy));
  });
}

function inlined(row: FieldRow): readonly FieldSchema[] {
  if (typeof row.type !== 'string') throw new Error(`${row.go} is inlined but is no struct`);
  return structNamed(row.type).fields;
}

function throughStruct(field: FieldSchema, embedded: string, declaredBy: string): FieldSchema {
  return { ...field, declaredBy, embeddedIn: [embedded, ...(field.embeddedIn ?? [])] };
}

function fieldOf(row: FieldRow, name: string, structName: string): FieldSchema {
  return {
    name,
    goName: row.go,
    declaredBy: structName.slice(structName.lastIndexOf('.') + 1),
    goType: goTypeOf(structName, name),
    schema: schemaOf(row.type),
    omitEmpty: row.omitempty === true,
    omitZero: row.omitzero === true,
    pointer: row.pointer === true,
    patchStrategy: row.patchStrategy,
    patchMergeKey: row.patchMergeKey,
    listType: row.listType,
    listMapKeys: row.listMapKeys,
    mapType: row.mapType,
    default: row.default,
  };
}

function schemaOf(expression: TypeExpression): Schema {
  if (typeof expression === 'string') {
    return expression.includes('.') ? structNamed(expression) : { type: 'leaf', leaf: expression as LeafName };
  }
  const [shape, argument] = Object.entries(expression)[0] ?? [];
  if (argument === undefined) throw new Error('an empty type expression in the table of Kubernetes types');
  if (shape === 'list') return { type: 'list', items: schemaOf(pointee(argument)), pointer: isPointer(argument) };
  if (shape === 'map') return { type: 'map', values: schemaOf(pointee(argument)), pointer: isPointer(argument) };
  if (shape === 'pointer') return schemaOf(argument);
  return { type: 'leaf', leaf: shape as LeafName, of: schemaOf(argument) };
}

function isPointer(expression: TypeExpression): boolean {
  return typeof expression !== 'string' && 'pointer' in expression;
}

function pointee(expression: TypeExpression): TypeExpression {
  return typeof expression !== 'string' && expression['pointer'] !== undefined ? expression['pointer'] : expression;
}
