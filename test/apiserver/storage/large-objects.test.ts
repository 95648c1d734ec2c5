import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { scriptedReplies } from '../../../src/conformance/scripted-replies.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { defaultServerOptions } from '../../../src/kubernetes/server-options.js';
import { server } from '../../support/server.js';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

function deployment(name: string, characters: number): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'a', image: 'a', args: ['x'.repeat(characters)] }] },
      },
    },
  };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly contentType?: string;
}

/** Returns the number of managers of the stored object, or the message of the refusal. */
async function write(
  { method, path, body, contentType = 'application/json' }: Sent,
  objects: readonly object[] = [],
): Promise<number | string> {
  const state = { objects: objects.map(o => toValue(o) as ValueMap), server, presumesNamespaces: true, options: defaultServerOptions };
  const call = { method, path, body: Buffer.from(JSON.stringify(body)), contentType };
  const { answer } = await handleCall(call, state, effectsFor(scriptedReplies([]).callWebhook));
  const shown = JSON.parse(answer.body);
  return answer.status < 400 ? (shown.metadata.managedFields ?? []).length : shown.message;
}

describe('built-in objects near the limit of etcd, as kube-apiserver v1.36.3 stores them', () => {
  it.each([
    [1_571_790, 1],
    [1_571_791, 0],
    [1_572_413, 0],
    [1_572_414, 'etcdserver: request is too large'],
  ])('creates a Deployment with an argument of %i characters: %s', async (characters, expected) => {
    expect(await write({ method: 'POST', path: `${deployments}?fieldManager=m`, body: deployment('q', characters) })).toBe(expected);
  });

  it('has the size in the error of the client of etcd', async () => {
    expect(await write({ method: 'POST', path: deployments, body: deployment('p', 2_200_000) })).toBe(
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2200443 vs. 2097152)',
    );
  });

  it('stores nothing, and so limits nothing, in a dry run', async () => {
    expect(await write({ method: 'POST', path: `${deployments}?dryRun=All`, body: deployment('p', 2_200_000) })).toBe(1);
  });

  const keys = Array.from({ length: 9999 }, (_, i) => `this-key-is-very-long-so-as-to-create-a-very-large-serialized-fieldset-${i}`);
  const configMap = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data });
  const large = configMap(Object.fromEntries(keys.map(key => [key, 'A'])));
  const stored = {
    ...configMap({ k: 'v' }),
    metadata: { name: 'c', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' },
  };
  const path = '/api/v1/namespaces/default/configmaps';

  it('drops the managed fields of a ConfigMap that is too large with them', async () => {
    expect(await write({ method: 'POST', path, body: large })).toBe(0);
    expect(await write({ method: 'PUT', path: `${path}/c`, body: large }, [stored])).toBe(0);
    expect(await write({ method: 'PATCH', path: `${path}/c`, body: large, contentType: 'application/merge-patch+json' }, [stored])).toBe(0);
  });

  it('refuses to apply one', async () => {
    const contentType = 'application/apply-patch+yaml';
    const apply = { method: 'PATCH', path: `${path}/c?fieldManager=x`, contentType };
    expect(await write({ ...apply, body: large })).toBe('etcdserver: request is too large');
    const existing = { ...large, metadata: stored.metadata };
    expect(await write({ ...apply, body: configMap({}) }, [existing])).toBe('etcdserver: request is too large');
  });
});
