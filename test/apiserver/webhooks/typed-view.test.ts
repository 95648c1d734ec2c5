import { describe, expect, it } from 'vitest';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { semanticallyEqualAs } from '../../../src/apiserver/objects/semantic-equality.js';
import { typedView } from '../../../src/apiserver/webhooks/typed-view.js';
import { typedValue } from '../../../src/cel/values/typed.js';
import type { CelValue, FoundValue } from '../../../src/cel/values/value.js';
import type { ValueMap } from '../../../src/go/value.js';
import { schemaOfKind } from '../../../src/kubernetes/type-table.js';
import { server } from '../../support/server.js';

const kind = { group: '', version: 'v1', kind: 'Pod' };

function podOf(object: object): ValueMap {
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no Pod');
  const { value } = codec.decode(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...object }));
  codec.applyDefaults(value);
  return value;
}

const pods = {
  'with containers, maps and times': podOf({
    metadata: { name: 'a', creationTimestamp: null, labels: { b: '2', a: '1' }, annotations: {} },
    spec: {
      containers: [
        { name: 'a', image: 'x', resources: { limits: { cpu: '0.5' } }, livenessProbe: { httpGet: { port: 80 } } },
        { name: 'b', image: 'y', env: [], ports: [{ containerPort: 1 }] },
      ],
      securityContext: {},
      tolerations: [{ key: 'a', tolerationSeconds: 3 }],
    },
    status: { startTime: '2026-01-01T00:00:00Z' },
  }),
  'with managed fields': podOf({
    metadata: {
      managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } }],
    },
  }),
  empty: podOf({}),
};

function views(pod: ValueMap): { readonly lazily: FoundValue; readonly atOnce: FoundValue } {
  const schema = schemaOfKind(server, kind);
  const codec = builtInCodec(server, kind);
  if (schema === undefined || codec === undefined) throw new Error('no Pod');
  return {
    lazily: typedView(pod, schema, semanticallyEqualAs),
    atOnce: typedValue(codec.toUnstructured(pod), schema, semanticallyEqualAs),
  };
}

/** Everything that expressions can see, as plain data. */
function plain(found: FoundValue | undefined): unknown {
  if (found instanceof Map) return [...found].map(([key, member]) => [key, plain(member)]);
  if (Array.isArray(found)) return found.map(plain);
  if (typeof found !== 'object' || found === null || !isCel(found)) return found;
  if (found.kind === 'list') return { ...found, items: found.items.map(plain) };
  if (found.kind !== 'map' || found.entries.keys !== 'strings') return found;
  const { byKey } = found.entries;
  const struct = found.typed?.struct;
  return {
    size: byKey.size,
    keys: [...byKey.keys()],
    members: [...byKey.keys()].map(key => [byKey.has(key), plain(byKey.get(key))]),
    entries: [...byKey].map(([key, member]) => [key, plain(member)]),
    values: [...byKey.values()].map(plain),
    struct: struct && { name: struct.name, raw: struct.raw, isEqualToItself: struct.isEqualTo(struct.raw) },
    isTyped: found.typed !== undefined,
  };
}

function isCel(found: object): found is Exclude<CelValue, string | number | bigint | boolean> {
  return 'kind' in found && !(found instanceof Map);
}

describe('an object as expressions see it', () => {
  it.each(Object.entries(pods))('is the same lazily: a pod %s', (_, pod) => {
    const { lazily, atOnce } = views(pod);
    expect(plain(lazily)).toEqual(plain(atOnce));
  });

  it('has no other members', () => {
    const { lazily } = views(pods.empty);
    if (typeof lazily !== 'object' || lazily === null || !isCel(lazily) || lazily.kind !== 'map') throw new Error('no map');
    if (lazily.entries.keys !== 'strings') throw new Error('other keys');
    expect(lazily.entries.byKey.get('nothing')).toBeUndefined();
    expect(lazily.entries.byKey.has('nothing')).toBe(false);
  });
});
