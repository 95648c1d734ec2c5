import { ownMember } from '../../go/own-members.js';
import type { Value } from '../../go/value.js';
import type { LeafShape } from '../schemas/shape.js';
import * as names from './names.js';
import type { Pools } from './pools.js';
import type { Random } from './random.js';
import { anyText, longText } from './texts.js';

/** Sources of values. */
export interface ValueSources {
  readonly random: Random;
  readonly pools: Pools;
  /** Texts that webhooks, selectors and conditions mention. */
  readonly dictionary: () => readonly string[];
  /** Returns the texts that the API server named as the supported ones of a field; none if it named none. */
  readonly supported: (field: string) => readonly string[];
}

/** Place of a value: the type around it and the field's name. */
export interface LeafPlace {
  readonly type: string;
  readonly field: string;
}

/** Returns a value of a leaf, in one of the spellings and limits of its type; mostly a valid one. */
export function leafValue(shape: LeafShape, place: LeafPlace, sources: ValueSources): Value {
  const { random: r } = sources;
  if (shape.isNullable && r.chance(15)) return null;
  if (shape.choices.length > 0 && !r.chance(2)) return r.pick(shape.choices);
  switch (shape.leaf) {
    case 'string':
      return within(text(shape, place, sources), shape);
    case 'bool':
    case 'orBool':
      return r.chance(60);
    case 'int32':
    case 'int64':
      return integer(shape, place, sources);
    case 'float64':
      return number(shape, r);
    case 'quantity':
      return r.pick(names.quantities);
    case 'intorstring':
      return r.pick(intOrString(place));
    case 'bytes':
      return r.pick(['', 'aGVsbG8=', '//79', 'AA==', 'eyJhIjoxfQ==', Buffer.from(longText(r)).toString('base64')]);
    case 'time':
    case 'microtime':
      return r.pick(names.times);
    case 'duration':
      return r.pick(names.durations);
    case 'fieldsv1':
      return new Map();
    default:
      return r.pick<() => Value>([
        () => 'x',
        () => 1n,
        () => 0.5,
        () => true,
        () => [1n, 'x'],
        () => new Map<string, Value>([['a', new Map<string, Value>([['b/c', [null, 'ü']]])]]),
        () => new Map(),
      ])();
  }
}

function within(value: string, { maxLength, minLength }: LeafShape): string {
  const padded = value.length < minLength ? value.padEnd(minLength, 'a') : value;
  return maxLength === undefined ? padded : [...padded].slice(0, maxLength).join('');
}

function text(shape: LeafShape, place: LeafPlace, sources: ValueSources): string {
  const { random: r, pools } = sources;
  const supported = sources.supported(`${place.type}.${place.field}`);
  if (supported.length > 0 && !r.chance(3)) return r.pick(supported);
  if (shape.pattern !== undefined && !r.chance(3)) {
    const matching = pools.matching(shape.pattern);
    if (matching.length > 0) return r.pick(matching);
  }
  if (shape.format !== undefined && !r.chance(3)) {
    const formatted = ownMember(ofFormat, shape.format);
    if (formatted !== undefined) return r.pick(formatted(pools));
  }
  const named = ownMember(ofField, place.field);
  if (named !== undefined && !r.chance(8)) {
    const words = r.chance(10) ? sources.dictionary() : [];
    return r.pick(words.length > 0 ? words : named(pools));
  }
  if (/(?:Name|Ref|Class|ClassName|Account)$/.test(place.field) && r.chance(85)) return r.pick(names.labelNames);
  if (/Path$/.test(place.field) && r.chance(85)) return r.pick(paths);
  if (/IP$/.test(place.field) && r.chance(85)) return r.pick(names.addresses);
  if (r.chance(30)) return r.pick(names.labelNames);
  return anyText(r, pools, sources.dictionary());
}

const paths: readonly string[] = [
  '/',
  '/a',
  '/var/lib/x',
  '/etc/../etc',
  'relative/path',
  '/a b',
  '/ü',
  '/var/run/docker.sock',
  `/${'p'.repeat(250)}`,
];

/** Values of the formats of definitions. */
const ofFormat: Readonly<Record<string, (pools: Pools) => readonly string[]>> = {
  'date-time': pools => [...names.times, ...pools.times],
  date: () => ['2024-02-29', '1970-01-01', '9999-12-31'],
  duration: () => names.durations,
  email: pools => [...pools.emails, 'a+b@example.com'],
  uuid: pools => pools.uuids,
  ipv4: pools => pools.ipv4,
  ipv6: pools => [...pools.ipv6, '::1'],
  cidr: () => names.blocks,
  uri: pools => [...pools.urls, 'urn:a:b', '/relative'],
  hostname: pools => pools.domains,
  byte: () => ['', 'aGVsbG8=', '//79'],
};

/** Values of fields with these names in built-in types. */
const ofField: Readonly<Record<string, (pools: Pools) => readonly string[]>> = {
  name: pools => [...names.labelNames, ...pools.labels],
  generateName: () => ['a-', 'web-', 'x', `${'g'.repeat(57)}-`],
  image: () => names.images,
  namespace: () => ['default'],
  key: () => [...names.labelKeys],
  path: () => paths,
  mountPath: () => ['/a', '/var/lib/x', '/data:ro', '/ü', '/'],
  subPath: () => ['a', 'a/b', '$(X)', ''],
  host: pools => ['example.com', '*.example.com', 'a.b.c.example.com', '', ...pools.domains],
  hostname: () => ['a', 'web-0'],
  protocol: () => ['TCP', 'UDP', 'SCTP'],
  scheme: () => ['HTTP', 'HTTPS'],
  schedule: () => names.schedules,
  timeZone: () => ['Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata'],
  cidr: () => names.blocks,
  except: () => names.blocks,
  externalIPs: () => names.addresses,
  ip: () => names.addresses,
  ips: () => names.addresses,
  clusterIP: () => ['None'],
  externalName: pools => ['example.com', 'a.b.example.com.', ...pools.domains],
  operator: () => ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Equal', 'Gt', 'Lt'],
  effect: () => ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  restartPolicy: () => ['Always', 'Never', 'OnFailure'],
  imagePullPolicy: () => ['Always', 'Never', 'IfNotPresent'],
  kind: () => ['ConfigMap', 'Pod', 'Deployment', 'ServiceAccount', 'User', 'Group', 'ClusterRole', 'Role'],
  apiVersion: () => ['v1', 'apps/v1', 'batch/v1'],
  apiGroup: () => ['', 'rbac.authorization.k8s.io', 'apps'],
  finalizers: () => ['example.com/a', 'kubernetes.io/pvc-protection', 'foregroundDeletion', 'a.b/c'],
  accessModes: () => ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
  verbs: () => ['get', 'list', '*', 'create', 'escalate', 'bind', 'impersonate'],
  topologyKey: () => ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
  priorityClassName: () => ['system-cluster-critical', 'system-node-critical'],
  seccompProfile: () => ['RuntimeDefault'],
  add: () => ['NET_ADMIN', 'SYS_ADMIN', 'ALL', 'CHOWN'],
  drop: () => ['ALL', 'NET_RAW'],
  type: () => [
    'RuntimeDefault',
    'Unconfined',
    'Localhost',
    'ClusterIP',
    'NodePort',
    'LoadBalancer',
    'ExternalName',
    'RollingUpdate',
    'Recreate',
    'Directory',
    'Ready',
    'Opaque',
  ],
  secretName: () => ['a', 'tls'],
  fieldPath: () => ['metadata.name', "metadata.labels['a/b']", 'status.podIP', 'spec.nodeName'],
  resource: () => ['limits.cpu', 'requests.memory'],
};

function integer({ min, max }: LeafShape, { field }: LeafPlace, { random: r, pools, dictionary }: ValueSources): bigint {
  const ofName = ownMember(integersOfField, field);
  const candidates =
    ofName !== undefined && r.chance(80)
      ? ofName
      : [
          0n,
          1n,
          2n,
          3n,
          7n,
          10n,
          60n,
          80n,
          443n,
          1000n,
          8080n,
          65535n,
          2147483647n,
          ...(r.chance(8) ? [-1n, 65536n, 4294967296n, 9007199254740993n] : []),
          ...(r.chance(10) ? pools.integers : []),
          ...(r.chance(10) ? dictionary().flatMap(text => (/^\d{1,9}$/.test(text) ? [BigInt(text)] : [])) : []),
        ];
  const fitting = [
    ...candidates,
    ...(min === undefined ? [] : [BigInt(Math.ceil(min))]),
    ...(max === undefined ? [] : [BigInt(Math.floor(max))]),
  ].filter(value => (min === undefined || value >= min) && (max === undefined || value <= max));
  return r.pick(fitting.length === 0 ? candidates : fitting);
}

const integersOfField: Readonly<Record<string, readonly bigint[]>> = {
  port: [80n, 443n, 8080n, 1n, 65535n],
  containerPort: [80n, 443n, 8080n, 1n, 65535n],
  hostPort: [80n, 443n, 8080n, 65535n],
  nodePort: [30000n, 32767n],
  runAsUser: [0n, 1n, 1000n, 65534n, 2147483647n],
  runAsGroup: [0n, 1n, 1000n],
  fsGroup: [0n, 1n, 2000n],
  replicas: [0n, 1n, 2n, 3n, 100n, 2147483647n],
  defaultMode: [0n, 420n, 511n],
  mode: [0n, 420n, 511n],
  weight: [1n, 50n, 100n],
};

function number({ min, max }: LeafShape, r: Random): number {
  const candidates = [0.5, 1.25, 2, 0, 1e21, 1e-7, 3.0, 100, -0.5, 1.7976931348623157e308];
  const fitting = candidates.filter(value => (min === undefined || value >= min) && (max === undefined || value <= max));
  return r.pick(fitting.length === 0 ? candidates : fitting);
}

function intOrString({ field }: LeafPlace): readonly Value[] {
  if (/[Pp]ort$/.test(field)) return ['http', 80n, 65535n, 443n, 8080n, 'metrics', 'a-1'];
  return ['25%', 1n, 0n, '100%', 2n, '0%', 100n, '1', 'half'];
}

/** Returns the values of a leaf that differ in spelling, sign or size, for fields in which code expects one form. */
export function spellingsOf(shape: LeafShape, place: LeafPlace, { supported, pools }: ValueSources): readonly Value[] {
  if (shape.choices.length > 0) return shape.choices;
  switch (shape.leaf) {
    case 'bool':
    case 'orBool':
      return [true, false];
    case 'int32':
    case 'int64':
      return (ownMember(integersOfField, place.field) ?? [largest[shape.leaf], 0n, 1n, -1n, 9007199254740993n, 2n, 60n]).filter(
        value => (shape.min === undefined || value >= shape.min) && (shape.max === undefined || value <= shape.max),
      );
    case 'quantity':
      return names.quantities;
    case 'intorstring':
      return intOrString(place);
    case 'time':
    case 'microtime':
      return names.times;
    case 'duration':
      return names.durations;
    case 'string': {
      const known = supported(`${place.type}.${place.field}`);
      const format = shape.format === undefined ? undefined : ownMember(ofFormat, shape.format)?.(pools);
      const pattern = shape.pattern === undefined ? [] : pools.matching(shape.pattern);
      return (
        [known, format ?? [], pattern, ownMember(ofField, place.field)?.(pools) ?? []]
          .find(list => list.length > 0)
          ?.slice(0, maxSpellings) ?? []
      );
    }
    default:
      return [];
  }
}

/** More than other languages' integers and floats hold exactly. */
const largest = { int32: 2n ** 31n - 1n, int64: 2n ** 63n - 1n };

const maxSpellings = 12;
