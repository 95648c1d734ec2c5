import type { Random } from '../../random.js';
import { namespaceSetup } from '../base.js';
import { applyPatch, type Json, mergePatch, type Scene, type SceneRequest } from '../scene.js';

const collection = '/api/v1/namespaces/{id}/configmaps';
const sizes = [1000, 262_100, 262_144, 262_145, 1_048_500, 1_048_576, 1_048_577, 1_572_000, 1_600_000, 3_145_000, 3_145_728, 3_145_800];

/** Objects near the limits of size and of nesting. */
export function large(r: Random): Scene {
  const text = 'x'.repeat(r.pick(sizes) - r.below(3) * 40);
  const metadata = { name: 'a', ...(r.chance(40) ? { annotations: { a: text } } : {}) };
  const body = r.pick<() => Json>([
    () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: text } }),
    () => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, 'v'])),
    }),
    () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, unknown: nested(r.pick([10, 100, 1000, 3000])) }),
    () => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: {
        containers: Array.from({ length: r.pick([10, 300]) }, (_, i) => ({
          name: `c${i}`,
          image: 'i',
          env: Array.from({ length: 20 }, (_e, n) => ({ name: `E${n}`, value: text.slice(0, 30) })),
        })),
      },
    }),
  ])();
  const path = String((body as { kind: string }).kind) === 'Pod' ? collection.replace('configmaps', 'pods') : collection;
  if (r.chance(55)) return { setup: namespaceSetup(), call: { method: 'POST', path, body } };
  const small = {
    ...(body as Record<string, Json>),
    metadata: { name: 'a' },
    ...(path === collection ? { data: { b: 'x' }, unknown: null } : {}),
  };
  const calls: SceneRequest[] = [
    { method: 'PUT', path: `${path}/a`, body },
    { method: 'PATCH', path: `${path}/a`, contentType: mergePatch, body },
    { method: 'PATCH', path: `${path}/a?fieldManager=me&force=true`, contentType: applyPatch, body },
  ];
  return { setup: [...namespaceSetup(), { method: 'POST', path, body: small }], call: r.pick(calls) };
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}
