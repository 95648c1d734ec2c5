import { setTimeout as wait } from 'node:timers/promises';
import type { Life } from './life.js';
import type { Answer, Server } from './server.js';

/** What clients of a server see after a step: a text for each question. */
export type Observation = ReadonlyMap<string, string>;

/** Names of resource versions, which differ between servers: each in the order in which it was seen. */
export type Names = Map<string, string>;

const settleMs = 300;

/** Asks a server everything about a life. `watched` are the versions to watch. */
export async function observe(server: Server, life: Life, names: Names, watched: readonly string[]): Promise<Observation> {
  const seen = new Map<string, string>();
  const { group, versions, namespaced } = life;
  for (const definition of life.definitions) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`;
    seen.set(`definition ${definition.split('.')[0]}`, shown(await server.call({ method: 'GET', path }), names));
  }
  // The first request creates the watch caches, which need some time.
  for (const version of versions) await server.call({ method: 'GET', path: `/apis/${group}/${version}/namespaces/default/boats/none` });
  for (const version of versions) await server.call({ method: 'GET', path: `/apis/${group}/${version}/boats/none` });
  await wait(settleMs);
  seen.set('group', shown(await server.call({ method: 'GET', path: `/apis/${group}` }), names));
  for (const version of versions) {
    const base = `/apis/${group}/${version}`;
    seen.set(`resources ${version}`, shown(await server.call({ method: 'GET', path: base }), names));
    const collection = `${base}/boats`;
    for (const query of ['', '?limit=500', '?resourceVersion=0'])
      seen.set(`list ${version} ${query}`, shown(await server.call({ method: 'GET', path: collection + query }), names));
    for (const name of ['a', 'b']) {
      const path = `${base}${namespaced ? '/namespaces/default' : ''}/boats/${name}`;
      seen.set(`get ${version} ${name}`, shown(await server.call({ method: 'GET', path }), names));
    }
    if (watched.includes(version)) seen.set(`watch ${version}`, shown(await server.watch(`${collection}?watch=1&timeoutSeconds=5`), names));
  }
  return seen;
}

/** Returns an answer without what differs between servers. */
export function shown({ status, body }: Answer, names: Names): string {
  const lines = body.split('\n').filter(line => line !== '');
  return [`${status}`, ...lines.map(line => normalized(line, names))].join('\n');
}

function normalized(line: string, names: Names): string {
  const text = line
    .replaceAll(/"uid":"[-0-9a-f]{36}"/g, '"uid":"UID"')
    .replaceAll(/"(creationTimestamp|lastTransitionTime|deletionTimestamp|time)":"[^"]*"/g, '"$1":"TIME"')
    .replaceAll(/revision=\d+/g, 'revision=N')
    .replaceAll(/resource version: \d+, current: \d+/g, 'resource version: N, current: N')
    .replaceAll(/UID in (precondition|object meta): [-0-9a-f]*/g, 'UID in $1: UID')
    .replaceAll(/"retryAfterSeconds":\d+/g, '"retryAfterSeconds":N');
  try {
    return JSON.stringify(walk(JSON.parse(text), names, ''));
  } catch {
    return text;
  }
}

function walk(value: unknown, names: Names, identity: string): unknown {
  if (Array.isArray(value)) return value.map(item => walk(item, names, identity));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  const metadata = record['metadata'] as Record<string, unknown> | undefined;
  const isList = Array.isArray(record['items']);
  const own = isList || metadata?.['name'] === undefined ? identity : `${String(record['kind'])} ${String(metadata['name'])}`;
  return Object.fromEntries(
    Object.entries(record).map(([key, member]) => {
      if (key === 'resourceVersion') return [key, identity === '' ? 'LIST' : named(names, identity, String(member))];
      if (key === 'fieldsV1') return [key, JSON.stringify(member)];
      // Their order depends on the second of each write.
      if (key === 'managedFields' && Array.isArray(member)) return [key, member.map(entry => JSON.stringify(entry)).sort()];
      // Controllers run side by side, and Go's maps have no order.
      if (key === 'conditions' && Array.isArray(member)) return [key, member.map(condition => JSON.stringify(condition)).sort()];
      if (key === 'resources' && Array.isArray(member)) return [key, member.map(resource => JSON.stringify(resource)).sort()];
      return [key, walk(member, names, key === 'metadata' || key === 'object' || key === 'items' ? own : identity)];
    }),
  );
}

function named(names: Names, identity: string, version: string): string {
  const key = `${identity} ${version}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  const count = [...names.keys()].filter(other => other.startsWith(`${identity} `)).length;
  names.set(key, `rv${count + 1}`);
  return `rv${count + 1}`;
}
