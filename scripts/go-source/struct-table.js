import { sortedMembers } from '../sorted-members.js';

/** Types with their own JSON form, by the folder of their package without its version, and name. */
const leaves = {
  'apimachinery/pkg/apis/meta/v1.Time': 'time',
  'apimachinery/pkg/apis/meta/v1.MicroTime': 'microtime',
  'apimachinery/pkg/apis/meta/v1.Duration': 'duration',
  'apimachinery/pkg/apis/meta/v1.FieldsV1': 'fieldsv1',
  'apimachinery/pkg/api/resource.Quantity': 'quantity',
  'apimachinery/pkg/util/intstr.IntOrString': 'intorstring',
  'apimachinery/pkg/runtime.RawExtension': 'rawextension',
  'apimachinery/pkg/runtime.Object': 'rawextension',
};

/** Types of schemas in definitions: JSON, or one of two forms. */
const schemaForms = {
  JSON: 'json',
  JSONSchemaPropsOrBool: 'orBool',
  JSONSchemaPropsOrArray: 'orArray',
  JSONSchemaPropsOrStringArray: 'orStringArray',
};

const builtIn = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  int: 'int64',
  float64: 'float64',
  'interface{}': 'any',
  any: 'any',
};

/** Table of the structs that kinds consist of. */
export function newStructTable(packages) {
  const types = {};
  const protobuf = {};
  const add = name => {
    if (types[name] !== undefined) return;
    const [packageName, struct] = name.split('.');
    const home = packages.named(packageName);
    const declared = structOf(struct, home, packages);
    if (declared === undefined) throw new Error(`no struct ${name}`);
    types[name] = {};
    const fields = declared.struct.fields.flatMap(field => fieldRow(field, declared.home, packages) ?? []);
    const atomic = declared.struct.markers.get('structType')?.[0] === 'atomic' || declared.struct.markers.get('mapType')?.[0] === 'atomic';
    types[name] = { fields: fields.map(({ row }) => row), ...(atomic ? { mapType: 'atomic' } : {}) };
    const numbered = fields.filter(({ number }) => number !== undefined);
    protobuf[name] = sortedMembers(Object.fromEntries(numbered.map(({ row, number, wire }) => [row.json ?? row.go, [number, wire]])));
    for (const { row } of fields) for (const used of structsIn(row.type)) add(used);
  };
  return { add, rows: () => ({ types: sortedMembers(types), protobuf: sortedMembers(protobuf) }) };
}

/** A struct may be declared as another one: `type A B`. */
function structOf(name, home, packages) {
  const struct = home.structs.get(name);
  if (struct !== undefined) return { struct, home };
  const target = home.named.get(name)?.replace(/^= /, '');
  if (target === undefined) return undefined;
  const [declaredIn, other] = packages.declaring(target, home);
  return declaredIn === undefined ? undefined : structOf(other, declaredIn, packages);
}

function fieldRow({ name, type, tags, markers }, home, packages) {
  const [json = '', ...options] = (tags.get('json') ?? '').split(',');
  if (json === '-' || !tags.has('json')) return undefined;
  const isInline = json === '' || options.includes('inline');
  const isPointer = type.startsWith('*');
  const shape = typeOf(type.replace(/^\*/, ''), home, packages);
  const row = {
    ...(isInline ? {} : { json }),
    go: name === '' ? type.replace(/^\*|.*\./g, '') : name,
    type: shape.type,
    ...(options.includes('omitempty') ? { omitempty: true } : {}),
    ...(options.includes('omitzero') ? { omitzero: true } : {}),
    ...(isPointer ? { pointer: true } : {}),
    ...(isInline ? { inline: true } : {}),
    ...(tags.has('patchStrategy') ? { patchStrategy: tags.get('patchStrategy') } : {}),
    ...(tags.has('patchMergeKey') ? { patchMergeKey: tags.get('patchMergeKey') } : {}),
    ...(isInline || !home.hasSchema ? {} : schemaMembers({ shape, markers, home, isPointer, isOmitted: options.includes('omitempty') })),
  };
  const [wire, number] = (tags.get('protobuf') ?? '').split(',');
  return { row, number: number === undefined ? undefined : Number(number), wire };
}

/** What the published schema adds to a field. */
function schemaMembers({ shape, markers, home, isPointer, isOmitted }) {
  const one = name => markers.get(name)?.[0]?.trim();
  const isList = typeof shape.type === 'object' && shape.type.list !== undefined;
  const listType = one('listType') ?? (isList ? 'atomic' : undefined);
  const mapType = shape.isStruct ? one('structType') : one('mapType');
  const value = defaultOf({ shape, home, marker: one('default'), isPointer, isOmitted });
  return {
    ...(isList ? { listType } : {}),
    ...(isList && listType === 'map' ? { listMapKeys: (markers.get('listMapKey') ?? []).map(key => key.trim()) } : {}),
    ...(mapType === undefined || (mapType === 'granular' && !shape.isStruct) ? {} : { mapType }),
    ...(value === undefined ? {} : { default: value }),
  };
}

const zeros = { string: '', bool: false, int32: 0, int64: 0, float64: 0 };

/** Source: kube-openapi pkg/generators, mustEnforceDefault. */
function defaultOf({ shape, home, marker, isPointer, isOmitted }) {
  if (marker !== undefined) return marker.startsWith('ref(') ? home.constants.get(marker.slice('ref('.length, -1)) : JSON.parse(marker);
  if (isPointer || shape.isOpaque) return undefined;
  if (shape.isStruct) return {};
  return isOmitted ? undefined : zeros[shape.type];
}

/** Type expression of the tables, and what kind of Go type it is. */
function typeOf(type, home, packages) {
  if (type === '[]byte') return { type: 'bytes' };
  if (type.startsWith('[]')) return { type: { list: elementOf(type.slice(2), home, packages) } };
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map !== null) return { type: { map: elementOf(map[1], home, packages) } };
  if (builtIn[type] !== undefined) return { type: builtIn[type], isOpaque: builtIn[type] === 'any' };
  const [declared, name] = packages.declaring(type, home);
  if (declared === undefined) throw new Error(`${home.folder}: unknown type ${type}`);
  const leaf = leaves[`${declared.folder.replace(/@[^/]+/, '')}.${name}`];
  if (leaf !== undefined) return { type: leaf, isOpaque: true };
  const form = schemaForms[name];
  if (form !== undefined && declared.folder.includes('apiextensions'))
    return { type: form === 'json' ? form : { [form]: structName(declared, 'JSONSchemaProps') }, isStruct: true };
  const target = declared.named.get(name);
  if (target?.startsWith('= ')) return typeOf(target.slice(2), declared, packages);
  if (declared.structs.has(name) || structOf(name, declared, packages) !== undefined)
    return { type: structName(declared, name), isStruct: true };
  if (target === undefined) throw new Error(`${declared.folder}: no type ${name}`);
  return typeOf(target, declared, packages);
}

function elementOf(type, home, packages) {
  const element = typeOf(type.replace(/^\*/, ''), home, packages).type;
  return type.startsWith('*') ? { pointer: element } : element;
}

/** `core/v1.Pod` of the package in `api@v0.36.3/core/v1`. */
function structName({ folder }, name) {
  return `${folder.split('/').slice(-2).join('/')}.${name}`;
}

function structsIn(type) {
  if (typeof type === 'string') return type.includes('.') ? [type] : [];
  return Object.values(type).flatMap(structsIn);
}
