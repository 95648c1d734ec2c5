import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, decodeJsonPatch } from '../../../src/apiserver/patches/json-patch.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { yamlToJson } from '../../../src/encoding/yaml.js';
import { injector, type PlainObject, review } from '../../../src/library/entry.js';
import { createPatch, createPatchText } from '../../../src/webhook-server/api/create-patch.js';
import { readConfiguration } from '../../../src/webhook-server/injector/configuration.js';
import { injectPod } from '../../../src/webhook-server/injector/inject-pod.js';
import { decodePod, encodePod } from '../../../src/webhook-server/injector/pods.js';
import { root } from '../../support/run-command.js';

const file = (name: string): string => path.join(root, 'fixtures/injector', name);
const handler = injector({ config: file('inject-config.yaml'), values: file('inject-values.yaml') });

/** What injection may change; the rest is the API server's. */
function subjectOf({ metadata, spec }: PlainObject): object {
  const { labels, annotations } = metadata as PlainObject;
  return { labels, annotations, spec };
}

async function injected(pod: object): Promise<PlainObject> {
  const { decision } = await review({ manifest: pod as never, handler, phase: 'mutating', namespace: 'shop' });
  if (decision.object === undefined || !decision.allowed) throw new Error(JSON.stringify(decision.status));
  return decision.object as PlainObject;
}

const name = fc.stringMatching(/^[a-z]([a-z0-9]{0,6}[a-z0-9])?$/);
const quantity = fc.constantFrom('10m', '0.5', '1', '128Mi', '1Gi');
const container = (names: fc.Arbitrary<string>): fc.Arbitrary<object> =>
  fc.record(
    {
      name: names,
      image: fc.constantFrom('auto', 'registry.example.com/app:1', 'b@sha256:00'),
      args: fc.array(name, { maxLength: 2 }),
      env: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'DNS', 'WORKLOAD', 'POD_NAMESPACE'), value: name }), {
        selector: ({ name: key }) => key,
        maxLength: 3,
      }),
      resources: fc.record({ requests: fc.dictionary(fc.constantFrom('cpu'), quantity, { maxKeys: 1 }) }),
      terminationMessagePath: fc.constant('/dev/stdout'),
    },
    { requiredKeys: ['name', 'image'] },
  );
const containersNamed = (names: fc.Arbitrary<string>, minLength: number): fc.Arbitrary<object[]> =>
  fc.uniqueArray(container(names), { selector: one => (one as { readonly name: string }).name, minLength, maxLength: 3 });

/**
 * Pods that the fixtures' policy injects, with containers and volumes of their own. No container has the name of an injected one: Istio itself
 * loses the pod's own values of such a container when it injects again (recorded: pods/021).
 */
const pod = fc
  .record({
    labels: fc.dictionary(fc.constantFrom('app', 'force', 'tier', 'team'), fc.constantFrom('web', 'gold', 'yes'), { maxKeys: 3 }),
    annotations: fc.dictionary(fc.constantFrom('mesh.example.com/image', 'note'), fc.constantFrom('proxy:2', 'x'), { maxKeys: 2 }),
    // Init containers have names of their own: two containers of a pod may not share one.
    initContainers: containersNamed(
      name.map(text => `i-${text}`),
      0,
    ),
    containers: containersNamed(name, 1),
    volumes: fc.constantFrom([], [{ name: 'mesh-certs', emptyDir: {} }], [{ name: 'data', emptyDir: {} }]),
    isOwned: fc.boolean(),
  })
  .map(({ labels, annotations, isOwned, ...spec }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-5d4f8c7b9d-x',
      labels,
      annotations,
      ...(isOwned
        ? { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4f8c7b9d', uid: 'u', controller: true }] }
        : {}),
    },
    spec: { automountServiceAccountToken: false, ...spec },
  }));

describe('the injector', () => {
  it('changes nothing when it injects an injected pod again', { timeout: 300_000 }, async () => {
    let changedByFirst = 0;
    await fc.assert(
      fc.asyncProperty(pod, async given => {
        const first = await injected(given);
        if (JSON.stringify(first).includes('sidecar.istio.io/status')) changedByFirst += 1;
        const {
          uid: _uid,
          resourceVersion: _version,
          creationTimestamp: _time,
          managedFields: _fields,
          ...metadata
        } = first['metadata'] as PlainObject;
        const again = await injected({ ...first, metadata, status: undefined });
        expect(subjectOf(again)).toEqual(subjectOf(first));
      }),
      { numRuns: 1000 },
    );
    expect(changedByFirst).toBe(1000);
  });

  it('gives the same pod when the API server applies its patch', { timeout: 300_000 }, async () => {
    const config = readConfiguration(readUnstructured(yamlToJson(readFileSync(file('inject-config.yaml'), 'utf8'))));
    const values = readUnstructured(yamlToJson(readFileSync(file('inject-values.yaml'), 'utf8')));
    const names = { proxy: 'istio-proxy', init: 'istio-init', validation: '', coreDump: '', prefix: 'sidecar.istio.io' };
    const injection = { config, values, names, revision: 'default', settings: new Map([['ISTIO_META_NETWORK', 'n']]) };
    await fc.assert(
      fc.asyncProperty(pod, async given => {
        const original = encodePod(decodePod(JSON.stringify(given)));
        const result = encodePod(await injectPod(decodePod(original), injection));
        const patch = decodeJsonPatch(createPatchText(createPatch(original, result)));
        expect(JSON.parse(applyJsonPatch(original, patch))).toEqual(JSON.parse(result));
      }),
      { numRuns: 1000 },
    );
  });
});
