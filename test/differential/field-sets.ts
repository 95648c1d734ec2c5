import { builtInCodec } from '../../src/apiserver/objects/built-in-codec.js';
import { writeFields } from '../../src/apiserver/patches/structured-merge/fields-v1.js';
import { atomOfSchema } from '../../src/apiserver/patches/structured-merge/schema-atom.js';
import { toFieldSet } from '../../src/apiserver/patches/structured-merge/to-field-set.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeValue } from '../../src/go/json/write.js';
import { copyOf, isList, isMap, type Value, type ValueMap } from '../../src/go/value.js';
import { parseApiVersion } from '../../src/kubernetes/group-version.js';
import type { StructSchema } from '../../src/kubernetes/schema.js';
import { registeredKinds, schemaOfKind } from '../../src/kubernetes/type-table.js';
import { answerOf, asWritten } from '../corpus/functions/field-sets.js';
import { server } from '../support/server.js';
import { compareWithOracle, countAndSeed, type OracleAnswer, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { change, tidy } from './random-change.js';
import { randomStruct, type Shape } from './random-object.js';

/** Compares field owners of random objects of all kinds with the API server's field manager. */
const popular = [
  'v1/Pod',
  'apps/v1/Deployment',
  'v1/Service',
  'v1/Node',
  'v1/ConfigMap',
  'batch/v1/Job',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'apps/v1/StatefulSet',
  'resource.k8s.io/v1/ResourceClaim',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
];

const kinds = registeredKinds(server).filter(name => {
  const schema = schemaOf(name);
  return (
    schema?.fieldsByName.has('metadata') === true &&
    !name.endsWith('List') &&
    !name.endsWith('Table') &&
    !name.endsWith('PartialObjectMetadata')
  );
});

function schemaOf(name: string): StructSchema | undefined {
  const at = name.lastIndexOf('/');
  const groupVersion = parseApiVersion(name.slice(0, at));
  return groupVersion && schemaOfKind(server, { ...groupVersion, kind: name.slice(at + 1) });
}

function question(r: Random): Question {
  const kind = r.chance(50) ? r.pick(popular) : r.pick(kinds);
  const schema = schemaOf(kind);
  if (schema === undefined) throw new Error(`no kind ${kind}`);
  const kindClass = r.pick(['create', 'apply', 'update', 'update']);
  const object = randomObject(r, schema, kind);
  if (kindClass === 'apply') {
    if (r.chance(60)) tidy(object, schema);
    if (r.chance(25)) spoil(r, object);
    return { fn: 'field-sets', class: 'apply', kind, object: writeValue(object, 'kept') };
  }
  if (kindClass === 'create') return { fn: 'field-sets', class: 'create', kind, object: writtenByGo(object, kind) };
  const live = r.chance(70) ? changed(r, object) : randomObject(r, schema, kind);
  const before = Array.from({ length: r.below(4) }, () => owner(r, live, schema));
  return { fn: 'field-sets', class: 'update', kind, object: writtenByGo(object, kind), live: writtenByGo(live, kind), before };
}

function randomObject(r: Random, schema: StructSchema, kind: string): ValueMap {
  const percent = r.pick([10, 25, 50]);
  const shape: Shape = {
    fieldPercent: depth => (depth <= 1 ? 80 : depth <= 4 ? 40 : percent),
    wants: field => field.name !== 'managedFields',
  };
  const value = randomStruct(r, schema, { shape });
  const at = kind.lastIndexOf('/');
  value.set('kind', kind.slice(at + 1));
  value.set('apiVersion', kind.slice(0, at));
  return value;
}

/** The text Go writes for the object. */
function writtenByGo(object: ValueMap, kind: string): string {
  const at = kind.lastIndexOf('/');
  const codec = builtInCodec(server, { ...(parseApiVersion(kind.slice(0, at)) ?? { group: '', version: '' }), kind: kind.slice(at + 1) });
  if (codec === undefined) throw new Error(`no kind ${kind}`);
  return codec.encode(codec.decode(writeValue(object, 'kept')).value);
}

/** A copy with some values removed and some lists reversed. */
function changed(r: Random, value: ValueMap): ValueMap {
  const copy = copyOf(value);
  change(r, copy);
  return copy;
}

/** A manager that owns some fields of the object. */
function owner(r: Random, live: ValueMap, schema: StructSchema): Record<string, string> {
  const part = readUnstructured(writeValue(changed(r, live), 'kept'));
  if (isMap(part)) for (const key of [...part.keys()]) if (r.chance(30)) part.delete(key);
  const fields = r.chance(5) ? '{}' : writeFields(toFieldSet(part, atomOfSchema(schema)));
  return { manager: r.pick(['a', 'b', 'updater', 'creator']), operation: r.pick(['Update', 'Update', 'Apply']), fieldsV1: fields };
}

/** Inserts an invalid entry. */
function spoil(r: Random, object: ValueMap): void {
  let at = object;
  for (let depth = r.below(6); depth > 0; depth -= 1) {
    const inside: ValueMap[] = [...at.values()].flatMap(v => (isMap(v) ? [v] : isList(v) ? v.filter(isMap) : []));
    if (inside.length === 0) break;
    at = r.pick(inside);
  }
  const key = at.size > 0 && r.chance(80) ? r.pick([...at.keys()]) : 'zz';
  at.set(key, r.pick<Value>([1n, 'x', true, null, 1.5, [], ['a', 'a'], [null], [[]], new Map(), new Map([['zz', 1n]]), [new Map()]]));
}

/** Entries that the oracle cannot read are omitted; a failed update drops the owners and continues. */
function normalized(expected: OracleAnswer): OracleAnswer {
  if ('inputError' in expected) return { unsteady: [] };
  return /^failed to convert (new|live) object/.test(String(expected['error'])) ? { managedFields: [] } : asWritten(expected);
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => question(random));
await compareWithOracle({ questions, answer: answerOf, normalized }, ['-tries', '4']);
