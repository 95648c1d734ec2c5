import type { Random } from '../random.js';
import type { ParamKind } from './params.js';
import { fields } from './subjects.js';

/** Names that expressions of a policy can use. */
export interface Names {
  readonly variables: number;
  readonly params: ParamKind | undefined;
  readonly kind: string;
}

const texts = ["'web'", "'a'", "''", "'team'", "'x/y~z'", '"é"'];
const paths = [
  'object.metadata.name',
  'object.metadata.labels.app',
  'object.metadata.labels["app"]',
  'object.metadata.annotations.note',
  'request.name',
  'request.namespace',
  'request.operation',
  'request.userInfo.username',
  'request.kind.kind',
  'request.resource.resource',
  'request.subResource',
  'request.requestKind.version',
  'request.userInfo.groups[0]',
  'request.userInfo.extra.team[0]',
  'request.options.kind',
  'namespaceObject.metadata.name',
  'namespaceObject.metadata.labels["team"]',
  'oldObject.metadata.name',
  'object.spec.missing',
];
function path(r: Random, { kind }: Names): string {
  const field = `object.${r.pick(fields[kind] ?? ['spec'])}`;
  if (r.chance(15)) return field.replace(/\.(\w+)$/, '.?$1.orValue(dyn(1))');
  return field;
}

function variable(r: Random, { variables }: Names, otherwise: string): string {
  return variables === 0 ? otherwise : `variables.v${r.below(variables)}`;
}

/** An expression of any type. */
export function anyExpression(r: Random, names: Names, depth: number): string {
  return r.pick([boolExpression, textExpression, numberExpression, (_: Random, n: Names) => path(r, n), listExpression])(r, names, depth);
}

export function boolExpression(r: Random, names: Names, depth: number): string {
  if (depth === 0)
    return r.pick(['true', 'false', 'has(object.metadata.labels)', `has(${fieldOnly(r, names)})`, 'oldObject == null', 'request.dryRun']);
  const inside = (): string => boolExpression(r, names, depth - 1);
  return r.pick([
    () => `${inside()} && ${inside()}`,
    () => `(${inside()} || ${inside()})`,
    () => `!(${inside()})`,
    () => `${numberExpression(r, names, depth - 1)} ${r.pick(['<', '<=', '>', '==', '!='])} ${numberExpression(r, names, depth - 1)}`,
    () => `${textExpression(r, names, depth - 1)} ${r.pick(['==', '!='])} ${textExpression(r, names, depth - 1)}`,
    () => `${textExpression(r, names, depth - 1)}.${r.pick(['startsWith', 'contains', 'endsWith', 'matches'])}(${r.pick(texts)})`,
    () => `dyn(${path(r, names)}) == dyn(${anyExpression(r, names, depth - 1)})`,
    () =>
      `${path(r, names)}.${r.pick(['all', 'exists', 'exists_one'])}(x, ${r.pick(['true', "x == 'a'", 'has(x.name)', "x.name != 'b'"])})`,
    () => `${r.pick(texts)} in ${path(r, names)}`,
    () => `(${inside()} ? ${inside()} : ${inside()})`,
    () => `type(${path(r, names)}) == ${r.pick(['int', 'string', 'list', 'map', 'bool', 'double', 'null_type'])}`,
    () => authorization(r),
    () => (names.params === undefined ? inside() : `${names.params.number} ${r.pick(['==', '<', '!='])} ${r.below(5)}`),
    () => (names.params === undefined ? inside() : `params != null && has(params.kind) && params.kind == '${names.params.kind}'`),
    () => `dyn(${variable(r, names, '1')}) == dyn(${anyExpression(r, names, depth - 1)})`,
  ])();
}

/** A check of the user's rights. */
function authorization(r: Random): string {
  const check = `check('${r.pick(['get', 'create', 'update', 'patch', 'delete'])}').${r.pick(['allowed()', 'allowed()', "reason() == ''", 'errored()'])}`;
  return r.pick([
    () => `authorizer.group('').resource('${r.pick(['pods', 'secrets'])}').namespace('default').${check}`,
    () => `authorizer.group('apps').resource('deployments').subresource('${r.pick(['scale', ''])}').name('web').${check}`,
    () => `authorizer.path('${r.pick(['/healthz', '/secret'])}').${check}`,
    () => `authorizer.serviceAccount('default', 'robot').group('').resource('configmaps').${check}`,
    () => `authorizer.requestResource.${check}`,
  ])();
}

function fieldOnly(r: Random, { kind }: Names): string {
  return `object.${r.pick(fields[kind] ?? ['spec'])}`;
}

export function textExpression(r: Random, names: Names, depth: number): string {
  if (depth === 0) return r.pick(texts);
  return r.pick([
    () => r.pick(texts),
    () => `string(${r.pick(paths)})`,
    () => `string(${path(r, names)})`,
    () => `${textExpression(r, names, depth - 1)} + ${textExpression(r, names, depth - 1)}`,
    () => `${textExpression(r, names, depth - 1)}.${r.pick(['lowerAscii()', 'upperAscii()', "replace('a', 'b')", 'trim()'])}`,
    () => `string(${numberExpression(r, names, depth - 1)})`,
    () => names.params?.text ?? r.pick(texts),
    () => (names.params === undefined ? r.pick(texts) : 'params.metadata.?name.orValue("none") + " x"'),
    () => `string(dyn(${variable(r, names, '1')}))`,
    () => `(${boolExpression(r, names, depth - 1)} ? ${textExpression(r, names, depth - 1)} : ${r.pick(texts)})`,
  ])();
}

function numberExpression(r: Random, names: Names, depth: number): string {
  if (depth === 0) return String(r.below(6));
  return r.pick([
    () => String(r.below(6)),
    () => `int(${path(r, names)})`,
    () => `size(${r.pick([path(r, names), 'object.metadata', 'request.userInfo.groups', 'request'])})`,
    () => `${numberExpression(r, names, depth - 1)} ${r.pick(['+', '-', '*', '/', '%'])} ${numberExpression(r, names, depth - 1)}`,
    () => names.params?.number ?? '3',
    () => `int(dyn(${variable(r, names, '2')}))`,
  ])();
}

function listExpression(r: Random, names: Names): string {
  return r.pick([
    "['a', 'b']",
    '[1, 2].map(x, x + 1)',
    "{'a': 'b'}",
    path(r, names),
    'object.metadata',
    'null',
    'duration("9m")',
    'timestamp("2024-01-06T00:00:00Z")',
    'b"x"',
    '2.5',
    'quantity("1Gi")',
    'type(1)',
  ]);
}

/** An `Object{...}` that often fits the kind. */
export function objectExpression(r: Random, names: Names): string {
  const made = r.pick([
    () => `Object{metadata: Object.metadata{labels: {${r.pick(texts)}: ${valueExpression(r, names)}}}}`,
    () => `Object{metadata: Object.metadata{annotations: Object.metadata.annotations{note: ${valueExpression(r, names)}}}}`,
    () =>
      `Object{metadata: Object.metadata{${r.pick(['name', 'finalizers', 'generateName', 'ownerReferences'])}: ${valueExpression(r, names)}}}`,
    () => kindObject(r, names),
    () => kindObject(r, names),
    () => kindObject(r, names),
    () => `Object{${r.pick(['data', 'spec', 'kind', 'status', 'colour'])}: ${valueExpression(r, names)}}`,
    () => 'Object{}',
  ])();
  return r.chance(25) ? `${boolExpression(r, names, 1)} ? ${made} : Object{}` : made;
}

function kindObject(r: Random, names: Names): string {
  const value = (): string => valueExpression(r, names);
  const pod = (prefix: string): string =>
    r.pick([
      () =>
        `${prefix}{containers: [${prefix}.containers{name: ${r.pick(["'main'", "'side'"])}, ${r.pick(['image', 'imagePullPolicy', 'env', 'ports', 'resources', 'args'])}: ${value()}}]}`,
      () =>
        `${prefix}{${r.pick(['nodeSelector', 'tolerations', 'priority', 'serviceAccountName', 'securityContext', 'volumes', 'hostNetwork', 'restartPolicy'])}: ${value()}}`,
      () =>
        `${prefix}{containers: object.${prefix.slice('Object.'.length)}.containers.map(c, ${prefix}.containers{name: c.name, image: 'x:' + c.name})}`,
    ])();
  switch (names.kind) {
    case 'Deployment':
    case 'Job':
      return r.chance(50)
        ? `Object{spec: Object.spec{${r.pick(['replicas', 'paused', 'selector', 'minReadySeconds', 'parallelism', 'suspend', 'nothing'])}: ${value()}}}`
        : `Object{spec: Object.spec{template: Object.spec.template{spec: ${pod('Object.spec.template.spec')}}}}`;
    case 'Pod':
      return `Object{spec: ${pod('Object.spec')}}`;
    case 'ConfigMap':
      return `Object{${r.pick(['data', 'binaryData', 'immutable'])}: ${r.pick([value(), `{'k': ${value()}}`, `Object.data{k: ${value()}}`])}}`;
    case 'Service':
      return `Object{spec: Object.spec{${r.pick(['type', 'selector', 'ports', 'externalIPs', 'sessionAffinity'])}: ${r.pick([value(), "[Object.spec.ports{port: 81, name: 'b'}]", "{'app': 'x'}"])}}}`;
    default:
      return `Object{spec: Object.spec{${r.pick(['size', 'colour', 'tags', 'steps', 'parts', 'options', 'frozen', 'free', 'note', 'port', 'ratio'])}: ${r.pick([value(), "[Object.spec.parts{name: 'p', weight: 2}]", "{'a': 'b'}", "['t']"])}}}`;
  }
}

function valueExpression(r: Random, names: Names): string {
  return r.pick([
    () => r.pick(texts),
    () => String(r.below(9)),
    () =>
      r.pick([
        'true',
        'null',
        '2.5',
        '2.0',
        '-1',
        '9007199254740993',
        '3u',
        'b"ab"',
        'duration("90s")',
        'timestamp("2024-01-06T00:00:00Z")',
      ]),
    () => r.pick(["['a', 'b']", '[]', '{}', "{'a': 'b'}", "{'a': null}", "[{'name': 'n'}]", "{'a': {'b': 'c'}}", "[['a']]"]),
    () => path(r, names),
    () => textExpression(r, names, 2),
    () => variable(r, names, "'v'"),
    () => 'optional.of("o")',
    () => 'type(object)',
    () => "'a,b'.split(',')",
    () => "'a1b2'.findAll('[0-9]')",
    () => 'quantity("5Mi")',
  ])();
}

export function patchExpression(r: Random, names: Names): string {
  const operations = Array.from({ length: r.below(2) + 1 }, () => operation(r, names)).join(', ');
  return r.chance(20) ? `${boolExpression(r, names, 1)} ? [${operations}] : []` : `[${operations}]`;
}

const pointers = [
  '/metadata/labels',
  '/metadata/labels/team',
  '/metadata/annotations',
  '/metadata/annotations/x~1y',
  '/metadata/finalizers',
  '/metadata/name',
  '/spec',
  '/kind',
  '/spec/zz',
  '/spec/containers/-',
  '/spec/containers/0/image',
  '/spec/containers/9',
  '/data/k',
  '/data',
  'data/k',
  '',
];

function operation(r: Random, { kind, ...names }: Names): string {
  const own = (fields[kind] ?? []).map(field => `/${field.replaceAll('.', '/')}`);
  const pointer = (): string =>
    r.chance(10) ? "'/metadata/labels/' + jsonpatch.escapeKey('a/b~c')" : `'${r.pick([...pointers, ...own])}'`;
  const op = r.pick(['add', 'add', 'replace', 'replace', 'remove', 'test', 'copy', 'move', 'merge']);
  const from = op === 'copy' || op === 'move' ? `, from: ${pointer()}` : '';
  const object = 'Object.spec.containers{name: "side", image: "b"}';
  const value = op === 'remove' || from !== '' ? '' : `, value: ${r.chance(15) ? object : valueExpression(r, { kind, ...names })}`;
  return `JSONPatch{op: '${op}', path: ${pointer()}${from}${value}}`;
}
