import type { Random } from '../random.js';
import { type ConversionMode, type Converter, conversionModes } from './converter.js';

/** One request, or a change of the world, in the life of a definition. */
export type Step =
  | { readonly what: 'call'; readonly method: string; readonly path: string; readonly contentType?: string; readonly body?: object }
  | { readonly what: 'turn'; readonly on: boolean }
  | { readonly what: 'wait'; readonly ms: number };

/** A definition as its life changes it. */
export interface Life {
  readonly id: string;
  readonly group: string;
  readonly steps: readonly Step[];
  readonly definitions: readonly string[];
  /** All versions that it ever has. */
  readonly versions: readonly string[];
  readonly namespaced: boolean;
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = 'application/merge-patch+json';
const versionNames = ['v1', 'v2', 'v3'];

interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema: object;
  subresources?: object;
}

interface Definition {
  names: { plural: string; kind: string; singular?: string; listKind?: string; shortNames?: string[]; categories?: string[] };
  versions: Version[];
  conversion?: object | undefined;
  annotations?: Record<string, string>;
}

/** Draws the life of a definition, and of a second one in its group. */
export function randomLife(r: Random, id: string, converter: Converter): Life {
  const isProtected = r.chance(12);
  const group = isProtected ? `${id}.k8s.io` : `${id}.example.com`;
  const namespaced = r.chance(70);
  const main: Definition = { names: namesOf(r, 'boats', 'Boat'), versions: versionsOf(r), conversion: conversionOf(r, id, converter) };
  if (isProtected) main.annotations = { 'api-approved.kubernetes.io': r.pick(approvals) };
  const context: Context = { r, id, group, namespaced, main, converter };
  const steps: Step[] = [createStep(context, main, 'boats')];
  const length = 6 + r.below(10);
  while (steps.length < length) steps.push(...nextSteps(context));
  if (r.chance(60)) steps.push({ what: 'call', method: 'DELETE', path: `${definitionsPath}/boats.${group}` });
  if (r.chance(30)) steps.push(...afterDeletion(context));
  return { id, group, steps, definitions: [`boats.${group}`, `ships.${group}`], versions: versionNames, namespaced };
}

interface Context {
  readonly r: Random;
  readonly id: string;
  readonly group: string;
  readonly namespaced: boolean;
  readonly main: Definition;
  readonly converter: Converter;
}

const approvals = ['https://github.com/kubernetes/kubernetes/pull/1', 'unapproved, experimental', 'unapproved', 'no url', 'http://x'];

function namesOf(r: Random, plural: string, kind: string): Definition['names'] {
  return {
    plural,
    kind,
    ...(r.chance(40) ? { singular: kind.toLowerCase() } : {}),
    ...(r.chance(30) ? { listKind: r.pick([`${kind}List`, `${kind}s`]) } : {}),
    ...(r.chance(30) ? { shortNames: r.pick([['b'], ['b', 'bt'], ['s'], ['x', 'b']]) } : {}),
    ...(r.chance(20) ? { categories: ['all', 'sea'] } : {}),
  };
}

function versionsOf(r: Random): Version[] {
  const count = 1 + r.below(3);
  const storage = r.below(count);
  return versionNames.slice(0, count).map((name, i) => ({
    name,
    served: i === storage ? r.chance(92) : r.chance(85),
    storage: i === storage,
    schema: schemaOf(r),
    ...(r.chance(40) ? { subresources: { status: {} } } : {}),
  }));
}

function schemaOf(r: Random): object {
  const size = r.pick([{ type: 'integer' }, { type: 'integer' }, { type: 'integer', default: 5 }]);
  const spec = r.pick([
    { type: 'object', properties: { size, length: { type: 'integer' } } },
    { type: 'object', properties: { size } },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', properties: { size, length: { type: 'integer' }, name: { type: 'string', default: 'x' } } },
  ]);
  const status = { type: 'object', properties: { phase: { type: 'string' } } };
  return { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
}

function conversionOf(r: Random, id: string, converter: Converter): object | undefined {
  if (r.chance(35)) return { strategy: 'None' };
  const mode: ConversionMode = r.pick([...conversionModes, 'plain', 'plain', 'switch']);
  const bundle = r.pick(['usable', 'usable', 'usable', 'usable', 'usable', 'usable', 'usable', 'Cg==', 'bm90IGEgY2VydA==', 'none']);
  const caBundle = bundle === 'usable' ? converter.caBundle : bundle === 'none' ? undefined : bundle;
  const url = r.chance(12) ? 'https://127.0.0.1:1/convert' : converter.url(mode, id);
  const clientConfig = { ...(r.chance(4) ? { service: { namespace: 'default', name: 'absent' } } : { url }), caBundle };
  return { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
}

function manifestOf({ group, namespaced }: Context, { names, versions, conversion, annotations }: Definition): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}`, ...(annotations === undefined ? {} : { annotations }) },
    spec: { group, scope: namespaced ? 'Namespaced' : 'Cluster', names, versions, ...(conversion === undefined ? {} : { conversion }) },
  };
}

function createStep(context: Context, definition: Definition, _plural: string): Step {
  return { what: 'call', method: 'POST', path: definitionsPath, body: manifestOf(context, definition) };
}

function afterDeletion(context: Context): Step[] {
  const { r, main } = context;
  const path = `${definitionsPath}/boats.${context.group}`;
  // The objects that remain may then be of another kind than the served one.
  if (r.chance(40)) main.names = namesOf(r, 'boats', 'Vessel');
  return [
    { what: 'call', method: 'PATCH', path, contentType: merge, body: { metadata: { finalizers: null } } },
    createStep(context, { ...context.main, conversion: { strategy: 'None' } }, 'boats'),
    ...objectStep(context),
    ...objectStep(context),
  ];
}

function nextSteps(context: Context): Step[] {
  const { r } = context;
  if (r.chance(62)) return objectStep(context);
  if (r.chance(75)) return definitionStep(context);
  if (r.chance(50))
    return [
      { what: 'turn', on: r.chance(45) },
      { what: 'wait', ms: 2500 },
    ];
  return otherStep(context);
}

function otherStep(context: Context): Step[] {
  const { r, group } = context;
  const names = namesOf(r, 'ships', r.pick(['Ship', 'Ship', 'Boat']));
  const ships: Definition = {
    names,
    versions: versionsOf(r)
      .slice(0, 1)
      .map(v => ({ ...v, storage: true, served: true })),
  };
  if (group.endsWith('k8s.io')) ships.annotations = { 'api-approved.kubernetes.io': 'unapproved' };
  return r.chance(70)
    ? [createStep(context, ships, 'ships')]
    : [{ what: 'call', method: 'DELETE', path: `${definitionsPath}/ships.${group}` }];
}

function definitionStep(context: Context): Step[] {
  const { r, group, main, id, converter } = context;
  const path = `${definitionsPath}/boats.${group}`;
  const patch = (body: object, at = path): Step => ({ what: 'call', method: 'PATCH', path: at, contentType: merge, body });
  const kind = r.pick([
    'storage',
    'storage',
    'served',
    'conversion',
    'conversion',
    'names',
    'schema',
    'add',
    'drop',
    'label',
    'approval',
    'delete',
    'recreate',
    'finalizer',
  ]);
  if (kind === 'storage') {
    const at = r.below(main.versions.length);
    main.versions = main.versions.map((v, i) => ({ ...v, storage: i === at }));
    return [patch({ spec: { versions: main.versions } })];
  }
  if (kind === 'served') {
    const at = r.below(main.versions.length);
    main.versions = main.versions.map((v, i) => (i === at ? { ...v, served: !v.served } : v));
    return [patch({ spec: { versions: main.versions } })];
  }
  if (kind === 'conversion') {
    main.conversion = conversionOf(r, id, converter);
    const isNone = JSON.stringify(main.conversion).includes('None');
    return [patch({ spec: { conversion: isNone ? { strategy: 'None', webhook: null } : main.conversion } })];
  }
  if (kind === 'names') {
    main.names = namesOf(r, 'boats', r.chance(90) ? 'Boat' : 'Vessel');
    return [patch({ spec: { names: { singular: null, listKind: null, shortNames: null, categories: null, ...main.names } } })];
  }
  if (kind === 'schema') {
    main.versions = main.versions.map(v => ({ ...v, schema: schemaOf(r) }));
    return [patch({ spec: { versions: main.versions } })];
  }
  if (kind === 'add' || kind === 'drop') return changeVersions(kind, context, patch, path);
  if (kind === 'label') return [patch({ metadata: { labels: { a: String(r.below(3)) } } })];
  if (kind === 'approval')
    return [patch({ metadata: { annotations: { 'api-approved.kubernetes.io': r.chance(20) ? null : r.pick(approvals) } } })];
  if (kind === 'delete') return [{ what: 'call', method: 'DELETE', path }];
  if (kind === 'finalizer') return [patch({ metadata: { finalizers: r.chance(50) ? null : ['example.com/own'] } })];
  return [createStep(context, main, 'boats')];
}

function changeVersions(kind: 'add' | 'drop', { r, main }: Context, patch: (body: object, at?: string) => Step, path: string): Step[] {
  const unused = versionNames.find(name => !main.versions.some(v => v.name === name));
  if (kind === 'add') {
    if (unused === undefined) return [];
    main.versions = [...main.versions, { name: unused, served: true, storage: false, schema: schemaOf(r) }];
    return [patch({ spec: { versions: main.versions } })];
  }
  const dropped = main.versions.find(v => !v.storage);
  if (dropped === undefined) return [];
  main.versions = main.versions.filter(v => v !== dropped);
  const storage = main.versions.find(v => v.storage)?.name ?? 'v1';
  const steps: Step[] = r.chance(70) ? [patch({ status: { storedVersions: [storage] } }, `${path}/status`)] : [];
  return [...steps, patch({ spec: { versions: main.versions } })];
}

function objectStep(context: Context): Step[] {
  const { r, group, namespaced, main } = context;
  const version = r.chance(90) ? r.pick(main.versions).name : r.pick(versionNames);
  const collection = `/apis/${group}/${version}${namespaced ? '/namespaces/default' : ''}/boats`;
  const name = r.pick(['a', 'a', 'b']);
  const path = `${collection}/${name}`;
  const spec = r.pick([{ size: r.below(5) }, { length: r.below(5) }, { size: 1, other: 'y' }, {}]);
  const body = { apiVersion: `${group}/${version}`, kind: r.chance(90) ? main.names.kind : 'Boat', metadata: { name }, spec };
  const patch = (change: object, at = path): Step => ({ what: 'call', method: 'PATCH', path: at, contentType: merge, body: change });
  const kind = r.pick([
    'create',
    'create',
    'create',
    'empty',
    'empty',
    'empty',
    'change',
    'finalizer',
    'release',
    'delete',
    'collection',
    'status',
    'put',
    'apply',
    'get',
    'dry',
    'foreground',
  ]);
  if (kind === 'create') return [{ what: 'call', method: 'POST', path: collection, body }];
  if (kind === 'empty') return [patch({})];
  if (kind === 'change') return [patch({ spec })];
  if (kind === 'finalizer') return [patch({ metadata: { finalizers: ['example.com/f'] } })];
  if (kind === 'release') return [patch({ metadata: { finalizers: null } })];
  if (kind === 'delete') return [{ what: 'call', method: 'DELETE', path }];
  if (kind === 'foreground') return [{ what: 'call', method: 'DELETE', path: `${path}?propagationPolicy=Foreground` }];
  if (kind === 'collection') return [{ what: 'call', method: 'DELETE', path: collection }];
  if (kind === 'status') return [patch({ status: { phase: r.pick(['up', 'down']) } }, `${path}/status`)];
  if (kind === 'put') return [{ what: 'call', method: 'PUT', path, body: { ...body, status: { phase: 'x' } } }];
  if (kind === 'dry') return [{ what: 'call', method: 'PATCH', path: `${path}?dryRun=All`, contentType: merge, body: { spec } }];
  if (kind === 'get') return [{ what: 'call', method: 'GET', path: `${path}?resourceVersion=0` }];
  return [{ what: 'call', method: 'PATCH', path: `${path}?fieldManager=m`, contentType: 'application/apply-patch+yaml', body }];
}
