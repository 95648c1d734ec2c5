import { builtInResources } from '../../../src/kubernetes/resource-table.js';
import { casesOf, readFolder } from '../../corpus/files.js';
import { server } from '../../support/server.js';
import type { Random } from '../random.js';
import { isObject, type Json, type JsonObject, memberOf } from './scene.js';

/** A manifest that the API server has accepted, and the path of its collection. */
export interface Seed {
  readonly manifest: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** Manifests and values of the recorded requests, to make others from. */
export interface Seeds {
  readonly of: (r: Random, kind?: string) => Seed;
  /** Returns a recorded value of a member with this name; undefined if there is none. */
  readonly valueOf: (r: Random, key: string) => Json | undefined;
  /** Returns a recorded member of an object with this name. */
  readonly memberOf: (r: Random, holder: string) => string | undefined;
}

/** Kinds that affect other scenes, or are not stored. */
const leftOut =
  /Webhook|AdmissionPolicy|CustomResource|APIService|Review|Binding$|ComponentStatus|ServiceCIDR|PriorityLevel|FlowSchema|PriorityClass|StorageClass|IngressClass|IPAddress|Node$/;

export function readSeeds(): Seeds {
  const seeds = new Map<string, Seed[]>();
  const values = new Map<string, Json[]>();
  const members = new Map<string, Set<string>>();
  for (const testCase of readFolder('requests').flatMap(casesOf)) {
    const { call, answer } = testCase as unknown as { call: { method: string; body?: string; path: string }; answer: { status: number } };
    if (call.method !== 'POST' || answer.status !== 201 || call.body === undefined || call.body.length > 20_000) continue;
    // Addresses and ports are shared by the cluster, so other scenes use them.
    if (/nodePort|clusterIP|externalIP|loadBalancerIP/i.test(call.body)) continue;
    const manifest = parsed(call.body);
    if (!isObject(manifest) || isUnsteady(manifest)) continue;
    learn('', manifest, values, members);
    const seed = seedOf(manifest);
    const kind = String(manifest['kind']);
    if (seed !== undefined && !leftOut.test(kind)) seeds.set(kind, [...(seeds.get(kind) ?? []), seed]);
  }
  const kinds = [...seeds.keys()].sort();
  const often = ['Pod', 'Pod', 'Deployment', 'Service', 'ConfigMap', 'Job', 'StatefulSet', 'CronJob', 'Secret', 'Ingress'];
  return {
    of: (r, kind) => r.pick(seeds.get(kind ?? (r.chance(50) ? r.pick(often) : '')) ?? seeds.get(r.pick(kinds)) ?? []),
    valueOf: (r, key) => pickOrNone(r, values.get(key)),
    memberOf: (r, holder) => pickOrNone(r, [...(members.get(holder) ?? [])]),
  };
}

/**
 * What the server stores of some manifests is not visible in the object: the spelling of a revision's data, and that a job has no labels of
 * its own (then an update that changes nothing is admitted twice).
 */
function isUnsteady(manifest: JsonObject): boolean {
  const { kind } = manifest;
  if (kind === 'ControllerRevision') return /[<>&\u2028]/.test(JSON.stringify(manifest));
  return kind === 'Job' && memberOf(manifest, 'metadata', 'labels') === undefined;
}

function pickOrNone<T>(r: Random, choices: readonly T[] | undefined): T | undefined {
  return choices === undefined || choices.length === 0 ? undefined : r.pick(choices);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Undefined for a manifest whose name is generated or that is not served. */
function seedOf(manifest: JsonObject): Seed | undefined {
  const [version = '', group = ''] = String(manifest['apiVersion']).split('/').reverse();
  const name = memberOf(manifest, 'metadata', 'name');
  const { resources } = builtInResources(server, 'default');
  const served = resources.find(({ kind: k }) => k.kind === manifest['kind'] && k.group === group && k.version === version);
  if (typeof name !== 'string' || served === undefined) return undefined;
  return { manifest, group, version, resource: served.resource, namespaced: served.namespaced };
}

function learn(holder: string, value: Json, values: Map<string, Json[]>, members: Map<string, Set<string>>): void {
  if (Array.isArray(value)) for (const item of value) learn(holder, item, values, members);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (holder !== 'labels' && holder !== 'annotations') members.set(holder, (members.get(holder) ?? new Set()).add(key));
    const pool = values.get(key) ?? [];
    if (pool.length < 30 && JSON.stringify(member).length < 600) values.set(key, [...pool, member]);
    learn(key, member, values, members);
  }
}
