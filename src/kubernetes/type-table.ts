import { ownMember } from '../go/own-members.js';
import type { ApiServer } from './api-server.js';
import { apiVersionOf, type GroupVersionKind } from './group-version.js';
import { memoize } from './memoize.js';
import type { FieldSchema, LeafName, Schema, StructSchema } from './schema.js';
import { readSections, type TableSection } from './table-file.js';

/** Returns the schema of a built-in kind; undefined for kinds outside the API server's types. */
export function schemaOfKind(server: ApiServer, kind: GroupVersionKind): StructSchema | undefined {
  const key = `${apiVersionOf(kind)}/${kind.kind}`;
  const schemas = kindSchemas(server);
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const { kinds, commonKinds } = kindsByName(server);
  const name = kinds.find(key) ?? commonKinds.find(kind.kind);
  if (name === undefined) return undefined;
  const schema = structNamed(server, String(name));
  schemas.set(key, schema);
  return schema;
}

const kindSchemas = memoize((_server: ApiServer) => new Map<string, StructSchema>());

/** Returns whether a kind is registered in the API server's scheme. */
export function isRegisteredKind(server: ApiServer, kind: GroupVersionKind): boolean {
  return schemaOfKind(server, kind) !== undefined;
}

/** Returns `apiVersion/Kind` of every built-in kind. */
export function registeredKinds(server: ApiServer): readonly string[] {
  return kindsByName(server).kinds.names();
}

/**
 * Returns the schema of a Go struct by the table's name, `core/v1.PodSpec`. Its fields are read on first use; they throw for an unknown
 * name.
 */
export function structNamed(server: ApiServer, name: string): StructSchema {
  return typesOf(server).struct(name);
}

const typesOf = memoize((server: ApiServer) => new TypesOfServer(server));

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

interface KindTable {
  /** Names of structs by `apiVersion/Kind`. */
  readonly kinds: TableSection;
  /** Names of structs by kind, for kinds that every group has. */
  readonly commonKinds: TableSection;
}

/** Read on first use of a kind. */
const kindsByName = memoize(({ minor }: ApiServer): KindTable => {
  const section = readSections(minor, 'kinds.json');
  return { kinds: section('kinds'), commonKinds: section('commonKinds') };
});

/** Types of one Go package, `core/v1`. */
interface PackageTable {
  /** A {@link TypeRow} for each struct. */
  readonly types: TableSection;
  /** For each struct, the names of Go types that the schema does not have, by field: named strings, maps and lists. */
  readonly goTypes: TableSection;
}

/** The structs of an API server. Fields of a schema are read lazily. */
class TypesOfServer {
  private readonly structs = new Map<string, StructSchema>();
  private readonly packages = new Map<string, PackageTable>();

  constructor(readonly server: ApiServer) {}

  struct(name: string): StructSchema {
    const known = this.structs.get(name);
    if (known !== undefined) return known;
    const made = new TableStruct(name, this);
    this.structs.set(name, made);
    return made;
  }

  row(structName: string): TypeRow | undefined {
    return this.packageOf(structName).types.find(structName) as TypeRow | undefined;
  }

  goTypes(structName: string): Readonly<Record<string, string>> {
    return (this.packageOf(structName).goTypes.find(structName) ?? {}) as Readonly<Record<string, string>>;
  }

  /** Read on first access to one of its structs. */
  private packageOf(structName: string): PackageTable {
    const name = structName.slice(0, structName.indexOf('.'));
    const known = this.packages.get(name);
    if (known !== undefined) return known;
    const section = readSections(this.server.minor, `types/${name.replace('/', '-')}.json`);
    const read = { types: section('types'), goTypes: section('goTypes') };
    this.packages.set(name, read);
    return read;
  }
}

/** Most structs are only the type of a field that the object does not have, so fields are read lazily. */
class TableStruct implements StructSchema {
  readonly type = 'struct';
  readonly goName: string;
  private found: TypeRow | undefined;
  private fieldList: readonly FieldSchema[] | undefined;
  private fieldMap: ReadonlyMap<string, FieldSchema> | undefined;

  constructor(
    readonly name: string,
    private readonly types: TypesOfServer,
  ) {
    this.goName = name.slice(name.lastIndexOf('/') + 1);
  }

  get server(): ApiServer {
    return this.types.server;
  }

  get fields(): readonly FieldSchema[] {
    this.fieldList ??= fieldsOf(this.name, this.row, this.types);
    return this.fieldList;
  }

  get fieldsByName(): ReadonlyMap<string, FieldSchema> {
    this.fieldMap ??= new Map(this.fields.map(field => [field.name, field]));
    return this.fieldMap;
  }

  get mapType(): 'atomic' | undefined {
    return this.row.mapType;
  }

  private get row(): TypeRow {
    this.found ??= this.types.row(this.name);
    if (this.found === undefined) throw new Error(`no type ${this.name} in the table of Kubernetes types`);
    return this.found;
  }
}

function fieldsOf(structName: string, row: TypeRow, types: TypesOfServer): FieldSchema[] {
  const goTypes = types.goTypes(structName);
  const declaredBy = structName.slice(structName.lastIndexOf('.') + 1);
  return row.fields.flatMap(f => {
    if (f.inline !== true && f.json !== undefined)
      return [fieldOf(f, { name: f.json, declaredBy, goType: ownMember(goTypes, f.json), schema: schemaOf(f.type, types) })];
    return inlined(f, types).map(inner => throughStruct(inner, f, declaredBy));
  });
}

function inlined(row: FieldRow, types: TypesOfServer): readonly FieldSchema[] {
  if (typeof row.type !== 'string') throw new Error(`${row.go} is inlined but not a struct`);
  return types.struct(row.type).fields;
}

function throughStruct(field: FieldSchema, { go, type }: FieldRow, declaredBy: string): FieldSchema {
  return {
    ...field,
    declaredBy,
    embeddedIn: [go, ...(field.embeddedIn ?? [])],
    embeddedTypes: [String(type), ...(field.embeddedTypes ?? [])],
  };
}

function fieldOf(row: FieldRow, known: Pick<FieldSchema, 'name' | 'declaredBy' | 'goType' | 'schema'>): FieldSchema {
  return {
    ...known,
    goName: row.go,
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

function schemaOf(expression: TypeExpression, types: TypesOfServer): Schema {
  if (typeof expression === 'string') {
    return expression.includes('.') ? types.struct(expression) : { type: 'leaf', leaf: expression as LeafName };
  }
  const [shape, argument] = Object.entries(expression)[0] ?? [];
  if (argument === undefined) throw new Error('an empty type expression in the table of Kubernetes types');
  if (shape === 'list') return { type: 'list', items: schemaOf(pointee(argument), types), pointer: isPointer(argument) };
  if (shape === 'map') return { type: 'map', values: schemaOf(pointee(argument), types), pointer: isPointer(argument) };
  if (shape === 'pointer') return schemaOf(argument, types);
  return { type: 'leaf', leaf: shape as LeafName, of: schemaOf(argument, types) };
}

function isPointer(expression: TypeExpression): boolean {
  return typeof expression !== 'string' && 'pointer' in expression;
}

function pointee(expression: TypeExpression): TypeExpression {
  return typeof expression !== 'string' && expression['pointer'] !== undefined ? expression['pointer'] : expression;
}
