import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
import '../../src/cli/commands/lint/run-lint.js';
import '../../src/cli/work/lint/rehearsal/rehearse.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { manifestsIn } from '../../src/client/manifests/manifests.js';
import { allowWithoutSending } from '../../src/client/run/allowing-webhook.js';
import { writeValue } from '../../src/go/json/write.js';
import { stringAt } from '../../src/go/value.js';
import type { CallWebhook } from '../../src/kubernetes/webhook-call.js';
import { newServedCluster } from '../local-apiserver/support/served-cluster.js';
import { runCommand } from '../support/run-command.js';

const rules = ['stuck-on-install', 'hangs-on-removal', 'left-behind', 'refused-at-first'];

async function rehearsed(file: string): Promise<readonly string[]> {
  const { stdout } = await runCommand(Lint, ['-f', `fixtures/rehearsals/${file}.yaml`, '--rehearse', '-o', 'json']);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; line: number; message: string }[] };
  return findings.filter(({ rule }) => rules.includes(rule)).map(({ rule, line, message }) => `${rule}:${line} ${message}`);
}

const down = 'failed calling webhook "NAME": failed to call webhook: Post "https://SERVICE.svc:443/PATH?timeout=10s"';

function failed(name: string, service: string, path: string): string {
  return down.replace('NAME', name).replace('SERVICE', service).replace('PATH', path);
}

describe('lint --rehearse', () => {
  it('finds what the finalizers of an operator hold when it is gone, and what its webhook refuses while it starts', async () => {
    const crd = 'CustomResourceDefinition boats.fleet.example.com';
    expect(await rehearsed('fleet')).toEqual([
      `hangs-on-removal:7 after deleting Deployment fleet-system/controller-manager, then ${crd}: ${crd} and Boat fleet-system/tern never go away: ` +
        'InstanceDeletionCheck: could not confirm zero CustomResources remaining: context deadline exceeded; the order of kubectl and Helm can end so',
      'hangs-on-removal:7 after deleting Namespace fleet-system: Namespace fleet-system never goes away: NamespaceFinalizersRemaining: Some content in ' +
        'the namespace has finalizers remaining: fleet.example.com/moorings in 1 resource instances; the order of kubectl and Helm can end so',
      'refused-at-first:80 Boat fleet-system/tern is refused at first, created in the order of kubectl and Helm: ' +
        `${failed('vboat.fleet.example.com', 'webhook-service.fleet-system', 'validate')}: dial tcp 10.0.0.1:443: connect: connection refused`,
    ]);
  });

  it('finds orders in which the pods of a webhook never become ready, and what it leaves behind', async () => {
    const refusal = failed('pods.guard.example.com', 'guard.guard', 'validate');
    const order = 'Namespace guard, then Deployment guard/guard, then ValidatingWebhookConfiguration guard';
    expect(await rehearsed('policy')).toEqual([
      `stuck-on-install:29 created in the order ${order}: the pods of Deployment guard/guard never become ready: creating its pods is refused: ` +
        `${refusal}: dial tcp 10.0.0.1:443: connect: connection refused`,
      'left-behind:29 after deleting Namespace guard: it still refuses to create pods, deployments in other namespaces: ' +
        `${refusal}: service "guard" not found`,
    ]);
  });

  it('finds a namespace that waits for the conversion of its objects', async () => {
    const [hang] = (await rehearsed('harbor')).filter(one => one.startsWith('hangs'));
    expect(hang).toContain('Namespace harbor stays until CustomResourceDefinition piers.harbor.example.com is deleted, too');
    expect(hang).toContain('NamespaceDeletionContentFailure');
  });

  it('says what it cannot rehearse', async () => {
    const { stderr } = await runCommand(Lint, ['-f', 'fixtures/lint/missing-delete.yaml', '--rehearse']);
    expect(stderr).toBe('note: nothing to rehearse: the files have no workload that answers a required webhook or a conversion\n');
  });
});

/** The same orders on a server, whose controllers have timers. */
describe('an order that lint --rehearse finds', () => {
  it('leaves a definition and its object Terminating, until the finalizers are removed', async () => {
    const { create, request, stop } = await newServedFiles('fleet');
    for (const kind of ['Namespace', 'CustomResourceDefinition', 'ValidatingWebhookConfiguration', 'Boat']) await create(kind);
    stop();
    const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.fleet.example.com';
    const boat = '/apis/fleet.example.com/v1/namespaces/fleet-system/boats/tern';
    expect((await request('DELETE', definition, { body: {} })).status).toBe(200);
    await expect.poll(async () => (await request('GET', boat)).body).toContain('deletionTimestamp');
    expect((await request('GET', definition)).body).toContain('InstanceDeletionInProgress');
    const release = { body: { metadata: { finalizers: null } }, headers: { 'content-type': 'application/merge-patch+json' } };
    expect((await request('PATCH', boat, release)).body).toContain('failed calling webhook');
    await request('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/validating-webhook-configuration', {
      body: {},
    });
    expect((await request('PATCH', boat, release)).status).toBe(200);
    await expect.poll(async () => (await request('GET', definition)).status).toBe(404);
  });

  it('refuses the object while the pods of the webhook are not ready, and accepts it later', async () => {
    const { create, start, stop } = await newServedFiles('fleet');
    stop();
    for (const kind of ['Namespace', 'CustomResourceDefinition', 'ValidatingWebhookConfiguration']) await create(kind);
    expect((await create('Boat')).body).toContain('connection refused');
    start();
    expect((await create('Boat')).status).toBe(201);
  });

  it('cannot delete objects that only a conversion can show', async () => {
    const { create, request, stop } = await newServedFiles('harbor');
    for (const kind of ['Namespace', 'CustomResourceDefinition', 'Pier']) await create(kind);
    stop();
    const piers = '/apis/harbor.example.com/v1/namespaces/harbor/piers';
    const refused = await request('DELETE', piers, { body: {} });
    const [hang = ''] = (await rehearsed('harbor')).filter(one => one.startsWith('hangs'));
    const { message } = JSON.parse(String(refused.body)) as { message: string };
    expect(hang).toContain(`remaining: ${message.replace(/dial tcp .*/, '')}`);
    expect(
      (await request('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/piers.harbor.example.com', { body: {} })).status,
    ).toBe(200);
    await expect.poll(async () => (await request('GET', piers)).status).toBe(404);
  });

  it('refuses the pods of a webhook that is down', async () => {
    const { create, request, stop } = await newServedFiles('policy');
    for (const kind of ['Namespace', 'Deployment', 'ValidatingWebhookConfiguration']) await create(kind);
    stop();
    for (const namespace of ['guard', 'default']) {
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
      expect((await request('POST', `/api/v1/namespaces/${namespace}/pods`, { body: pod })).body).toContain('failed calling webhook');
    }
  });
});

const paths: Readonly<Record<string, (namespace: string) => string>> = {
  Namespace: () => '/api/v1/namespaces',
  CustomResourceDefinition: () => '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ValidatingWebhookConfiguration: () => '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  Deployment: namespace => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  Boat: namespace => `/apis/fleet.example.com/v1/namespaces/${namespace}/boats`,
  Pier: namespace => `/apis/harbor.example.com/v1/namespaces/${namespace}/piers`,
};

/** A server without objects, whose webhooks answer until they are stopped. */
async function newServedFiles(name: string) {
  const { manifests } = manifestsIn({ source: name, bytes: readFileSync(`fixtures/rehearsals/${name}.yaml`) });
  let isUp = true;
  const callWebhook: CallWebhook = async call =>
    isUp
      ? allowWithoutSending(call)
      : {
          outcome: 'failed',
          class: 'tcp',
          message: `Post "${call.url}": dial tcp 10.0.0.1:443: connect: connection refused`,
          durationMs: 0,
        };
  const { request } = newServedCluster(['--disable-admission-plugins=ServiceAccount'], undefined, () => ({
    ...effectsFor(callWebhook),
    serviceAddress: () => ({ host: '10.0.0.1', port: 443 }),
    ignoresServiceSpecs: true,
  }));
  const create = (kind: string) => {
    const object = manifests.find(one => stringAt(one.object, 'kind') === kind)?.object ?? new Map();
    return request('POST', paths[kind]?.(stringAt(object, 'metadata', 'namespace')) ?? '', {
      body: Buffer.from(writeValue(object, 'kept')),
    });
  };
  return { request, create, start: () => (isUp = true), stop: () => (isUp = false) };
}
