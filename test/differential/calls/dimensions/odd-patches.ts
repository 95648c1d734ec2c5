import type { Random } from '../../random.js';
import { placed } from '../base.js';
import { isObject, type Json, type JsonObject, jsonPatch, mergePatch, type Scene, type SceneRequest, strategicPatch } from '../scene.js';
import type { Seeds } from '../seeds.js';

const oddValues: readonly Json[] = [
  ...[null, 1, -1, 1.5, 1e21, true, false, '', 'x', 'é', [], {}, [null], ['x'], { a: null }, { a: 1 }, '<&>\u2028'],
  ...[{ x: { y: [1, 2, { z: null }] } }, { name: 'n', image: 'i' }, { 'x.y/z': 'v' }, 'b7e6a2d0-0000-4000-8000-000000000003'],
];

const pointers = [
  ...['', '/', '//', '/metadata/labels/x', '/metadata/labels/x~1y', '/metadata/annotations/é', '/status', '/kind', '/apiVersion'],
  ...['/metadata/name', '/metadata/uid', '/metadata/managedFields', '/metadata/managedFields/0', '/metadata/resourceVersion'],
  ...['/metadata/finalizers/-', '/metadata/ownerReferences', '/spec', '/metadata', '/none/none', '/metadata/generation'],
  ...['/metadata/deletionTimestamp', '/spec/-', '%2Fspec', '/spec/containers/0', '/spec/containers/-', '/metadata/namespace'],
];
const endings = ['/', '/-', '/0', '/00', '/-1', '/99', '/new', '/a~1b', '/a~0b', '/a~2b', '/~', '/1e0', '/+1', '/ 0', '/x/y'];

/** JSON patches with odd operations, pointers and values, and merge and strategic patches of odd shapes. */
export function oddPatches(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path, around } = placed(r, seeds);
  const setup: SceneRequest[] = [...around, { method: 'POST', path: collection, body: manifest }];
  const patch = (contentType: string, body: Json): SceneRequest => ({ method: 'PATCH', path, contentType, body });
  const texts = [
    '',
    '{}',
    'null',
    '[',
    '[]',
    '[null]',
    '"x"',
    '[[]]',
    '[{}]',
    'x',
    '5',
    '{"kind":null}',
    '{"metadata":null}',
    '{"metadata":5}',
  ];
  const call = r.pick([
    () =>
      patch(
        jsonPatch,
        Array.from({ length: 1 + r.below(3) }, () => operation(r, manifest)),
      ),
    () =>
      patch(
        jsonPatch,
        Array.from({ length: 1 + r.below(3) }, () => operation(r, manifest)),
      ),
    () => patch(mergePatch, merge(r, manifest)),
    () => patch(strategicPatch, strategic(r, manifest)),
    () => patch(strategicPatch, strategic(r, manifest)),
  ])();
  return { setup, call: r.chance(4) ? { ...call, text: r.pick(texts) } : call };
}

function pointer(r: Random, object: JsonObject): string {
  let at: Json = object;
  let text = '';
  while ((text === '' || r.chance(80)) && typeof at === 'object' && at !== null && Object.keys(at).length > 0) {
    const key: string = r.pick(Object.keys(at));
    text += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    at = (at as JsonObject)[key] ?? null;
  }
  if (r.chance(60)) return text;
  return r.pick([() => text + r.pick(endings), () => r.pick(pointers), () => text.slice(1), () => text.toUpperCase(), () => `#${text}`])();
}

function operation(r: Random, object: JsonObject): Json {
  const op = r.pick(['add', 'add', 'add', 'replace', 'replace', 'remove', 'remove', 'test', 'copy', 'move']);
  const path = pointer(r, object);
  const from = pointer(r, object);
  const value = op === 'test' && r.chance(70) ? (valueAt(object, path) ?? null) : r.pick(oddValues);
  const whole: JsonObject = {
    op,
    path: r.chance(3) ? from + r.pick(['', '/x', '/0']) : path,
    ...(['add', 'replace', 'test'].includes(op) ? { value } : {}),
    ...(['copy', 'move'].includes(op) ? { from } : {}),
  };
  if (r.chance(90)) return whole;
  return r.pick<() => Json>([
    () => ({ ...whole, op: op.toUpperCase() }),
    () => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== r.pick(['path', 'value', 'from', 'op']))),
    () => ({
      ...whole,
      ...r.pick<JsonObject>([{ extra: 1 }, { op: null }, { path: null }, { path: 5 }, { from: '/kind' }, { op: 'increment' }, { OP: op }]),
    }),
    () => r.pick<Json>([[whole], null, 'x', 5]),
  ])();
}

function valueAt(object: JsonObject, path: string): Json | undefined {
  let at: Json | undefined = object;
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined;
  }
  return at;
}

const directives = ['$patch', '$setElementOrder/containers', '$deleteFromPrimitiveList/finalizers', '$retainKeys'];

function merge(r: Random, object: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    if (key === 'apiVersion' || key === 'kind' || r.chance(65)) continue;
    const isDeep = isObject(value) && Object.keys(value).length > 0 && r.chance(75);
    patch[key] = isDeep ? merge(r, value) : r.pick<Json>([null, r.pick(oddValues), [], {}, value, value]);
  }
  if (r.chance(25)) {
    const added = r.pick(['zzz', 'a.b/c', 'é', 'labels', 'spec', 'data', ...directives]);
    patch[added] = r.pick<Json>(['replace', 'delete', 'merge', null, ['a'], { a: 'b' }, [{ name: 'c' }], 'x']);
  }
  return patch;
}

const mergeKeys = ['name', 'containerPort', 'port', 'mountPath', 'type', 'ip', 'key', 'uid', 'topologyKey', 'devicePath'];

function strategic(r: Random, object: JsonObject, depth = 0): JsonObject {
  const patch = merge(r, object);
  for (const [key, value] of Object.entries(object)) {
    const items = Array.isArray(value) ? value.filter(isObject) : [];
    if (items.length > 0 && r.chance(60)) listPatch(r, { patch, key, items });
    else if (Array.isArray(value) && value.length > 0 && r.chance(30)) {
      patch[`$deleteFromPrimitiveList/${key}`] = r.pick<Json>([value.slice(0, 1), ['none'], null, 'x', []]);
    } else if (isObject(value) && key !== 'metadata' && depth < 3 && r.chance(50)) {
      const inner = strategic(r, value, depth + 1);
      if (r.chance(12)) inner['$patch'] = r.pick<Json>(['replace', 'delete', 'merge', 'x', 5]);
      if (r.chance(10)) inner['$retainKeys'] = r.pick<Json>([Object.keys(value).slice(0, 1), [], ['x'], null, 'x', Object.keys(value)]);
      patch[key] = inner;
    }
  }
  return patch;
}

function listPatch(r: Random, { patch, key, items }: { patch: JsonObject; key: string; items: readonly JsonObject[] }): void {
  const by = mergeKeys.find(name => items[0]?.[name] !== undefined) ?? 'name';
  const item = r.pick(items);
  const value = item[by] ?? null;
  patch[key] = Array.from({ length: 1 + r.below(2) }, () =>
    r.pick<() => Json>([
      () => ({ [by]: value, $patch: r.pick<Json>(['delete', 'replace', 'merge', 'x', null]) }),
      () => ({ [by]: value, ...merge(r, item) }),
      () => ({ $patch: r.pick(['replace', 'delete']) }),
      () => r.pick<Json>([{ [by]: 'new', image: 'i' }, {}, null, 'x', { [by]: null }, { $patch: 'delete', [by]: 'none' }]),
    ])(),
  );
  if (r.chance(60)) return;
  const order = items.map(one => ({ [by]: one[by] ?? null })).reverse();
  patch[`$setElementOrder/${key}`] = r.pick<Json>([order, [{ [by]: 'new' }], [], null, ['x'], [{ [by]: value }, { [by]: 'other' }]]);
}
