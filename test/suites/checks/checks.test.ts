import { describe, expect, it } from 'vitest';
import type { CheckName } from '../../../src/client/options/call-checks.js';
import { listAt, mapAt, stringAt } from '../../../src/go/value.js';
import { ordersToTry, otherOrders } from '../../../src/suites/checks/order.js';
import { runChecks } from '../../../src/suites/checks/run-checks.js';
import type { HandlerCase } from '../../../src/webhook-server/handler.js';
import {
  addedContainer,
  checkedCall,
  creation,
  passive,
  patching,
  podCreation,
  refused,
  sidecar,
  type TestWebhook,
} from './webhooks-of-tests.js';

type Found = { readonly findings: readonly string[]; readonly notes: readonly string[] };

async function found(
  check: CheckName,
  webhooks: Readonly<Record<string, HandlerCase | TestWebhook>>,
  { call = podCreation, objects = [] as readonly object[] } = {},
): Promise<Found> {
  const registered = Object.fromEntries(
    Object.entries(webhooks).map(([name, webhook]) => [name, typeof webhook === 'function' ? { handler: webhook } : webhook]),
  );
  const { findings, notes } = await runChecks([check], await checkedCall(call, registered, objects));
  return { findings: findings.map(({ webhook, message }) => `${webhook} ${message}`), notes };
}

const nothingSeen = 'side-effects: only answers are compared: other side effects of a dry run are not visible';

describe('the side effects check', () => {
  it('makes the call with and without dryRun, and notes its limits', async () => {
    const checked = await checkedCall(podCreation, { 'm.example.com': { handler: passive } });
    expect([await runChecks(['side-effects'], checked), checked.asked]).toEqual([
      { findings: [], notes: [nothingSeen] },
      ['m.example.com'],
    ]);
  });

  it('finds a change that a dry run lacks', async () => {
    const lazy = patching((_, request) =>
      request.get('dryRun') === true ? [] : [{ op: 'add', path: '/metadata/labels', value: { reviewed: 'yes' } }],
    );
    const { findings } = await found('side-effects', { 'm.example.com': lazy });
    expect(findings).toEqual([
      'm.example.com answers a dry run differently: it changes the object of the call itself only (add /metadata/labels)',
    ]);
  });

  it('ignores a patch without effect', async () => {
    const idle = patching((pod, request) =>
      request.get('dryRun') === true ? [] : [{ op: 'replace', path: '/spec/schedulerName', value: stringAt(pod, 'spec', 'schedulerName') }],
    );
    expect((await found('side-effects', { 'm.example.com': idle })).findings).toEqual([]);
  });

  it('finds the value that differs, with its path', async () => {
    const handler = patching((_, request) => [{ op: 'add', path: '/metadata/labels', value: { dry: String(request.get('dryRun')) } }]);
    expect((await found('side-effects', { 'm.example.com': handler })).findings).toEqual([
      'm.example.com answers a dry run differently: object/metadata/labels/dry is "true" in the dry run, and "false" without',
    ]);
  });

  it('finds a different decision, for a dry run and for a real call', async () => {
    const handler: HandlerCase = request => (request.get('dryRun') === true ? refused('no rehearsals') : { allowed: true });
    const webhooks = { 'v.example.com': { handler, phase: 'validating' as const } };
    const expected = ['v.example.com answers a dry run differently: it refuses (no rehearsals) the dry run, and allows the call itself'];
    const dry = { ...podCreation, path: `${podCreation.path}?dryRun=All&fieldManager=x` };
    expect((await found('side-effects', webhooks)).findings).toEqual(expected);
    expect((await found('side-effects', webhooks, { call: dry })).findings).toEqual(expected);
  });

  it('toggles dryRun in the options of a deletion', async () => {
    const handler: HandlerCase = request => (request.get('dryRun') === true ? refused('no rehearsals') : { allowed: true });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'default', uid: 'u' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const body = Buffer.from('{"propagationPolicy":"Background"}\n');
    const call = { method: 'DELETE', path: '/api/v1/namespaces/default/pods/a', contentType: 'application/json', body };
    const { findings } = await found('side-effects', { 'm.example.com': handler }, { call, objects: [pod] });
    expect(findings).toEqual([
      'm.example.com answers a dry run differently: it refuses (no rehearsals) the dry run, and allows the call itself',
    ]);
  });

  it('finds a registration that refuses every dry run', async () => {
    const webhooks = { 'm.example.com': { handler: passive, entry: { sideEffects: 'Some' } } };
    expect((await found('side-effects', webhooks)).findings).toEqual([
      'm.example.com has sideEffects that make the API server refuse every dry run of this call',
    ]);
  });

  it('ignores answers that differ on every call, and differences caused by another webhook', async () => {
    let count = 0;
    const counting = patching(() => {
      count += 1;
      return [{ op: 'add', path: '/metadata/annotations', value: { count: String(count) } }];
    });
    const copying = patching(pod => [
      { op: 'add', path: '/metadata/labels', value: { seen: stringAt(pod, 'metadata', 'annotations', 'count') } },
    ]);
    expect(await found('side-effects', { 'a.example.com': counting, 'b.example.com': copying })).toEqual({
      findings: [],
      notes: ['side-effects: a.example.com gives different answers to the same review, so the effect of dryRun is unknown', nothingSeen],
    });
  });
});

describe('the idempotence check', () => {
  it('passes an idempotent webhook, and does not call validating webhooks', async () => {
    const checked = await checkedCall(podCreation, {
      'm.example.com': { handler: sidecar('proxy') },
      'v.example.com': { handler: passive, phase: 'validating' },
    });
    const { findings } = await runChecks(['idempotent'], checked);
    expect([findings, checked.asked]).toEqual([[], ['m.example.com', 'm.example.com']]);
  });

  it('ignores a patch without effect', async () => {
    const relabel = patching(() => [{ op: 'add', path: '/metadata/labels', value: { reviewed: 'yes' } }]);
    expect((await found('idempotent', { 'm.example.com': relabel })).findings).toEqual([]);
  });

  it('finds a change that is made twice', async () => {
    let count = 0;
    const careless = patching(() => {
      count += 1;
      return [addedContainer(`proxy-${count}`)];
    });
    expect((await found('idempotent', { 'm.example.com': careless, 'n.example.com': passive })).findings).toEqual([
      'm.example.com changes its own result again: add /spec/containers/-',
    ]);
  });

  it('finds a webhook that refuses its own result', async () => {
    const jealous: HandlerCase = request => {
      const present = listAt(request, 'object', 'spec', 'containers').some(container => stringAt(container, 'name') === 'proxy');
      return present ? refused('there is a proxy already') : sidecar('proxy')(request, 'mutating');
    };
    expect((await found('idempotent', { 'm.example.com': jealous })).findings).toEqual([
      'm.example.com refuses its own result: there is a proxy already',
    ]);
  });

  it('finds a patch that does not apply a second time', async () => {
    const moving = patching(() => [
      { op: 'remove', path: '/spec/schedulerName' },
      { op: 'remove', path: '/metadata/annotations/once' },
    ]);
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', annotations: { once: '1' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const call = creation('/api/v1/namespaces/default/pods', pod);
    expect((await found('idempotent', { 'm.example.com': moving }, { call })).findings).toEqual([
      expect.stringMatching(/^m\.example\.com fails when it is called with its own result: .*remove/),
    ]);
  });
});

describe('the reinvocation check', () => {
  it('allows a webhook to add something in the second round because of a later webhook', async () => {
    const limits = patching(pod =>
      listAt(pod, 'spec', 'containers').flatMap((container, i) =>
        mapAt(container, 'resources', 'limits') === undefined
          ? [{ op: 'add', path: `/spec/containers/${i}/resources`, value: { limits: { cpu: '1' } } }]
          : [],
      ),
    );
    expect((await found('reinvocation', { 'a.example.com': limits, 'b.example.com': sidecar('proxy') })).findings).toEqual([]);
  });

  it('finds webhooks that undo each other’s changes forever', async () => {
    const setting = (value: string): HandlerCase => patching(() => [{ op: 'add', path: '/metadata/labels', value: { owner: value } }]);
    expect((await found('reinvocation', { 'a.example.com': setting('a'), 'b.example.com': setting('b') })).findings).toEqual([
      'a.example.com changes the object each time it is called again: add /metadata/labels',
      'b.example.com changes the object each time it is called again: add /metadata/labels',
    ]);
  });

  it('finds a webhook that refuses the change of a later one', async () => {
    const strict: HandlerCase = request =>
      listAt(request, 'object', 'spec', 'containers').length > 1 ? refused('one container is enough') : { allowed: true };
    expect((await found('reinvocation', { 'a.example.com': strict, 'b.example.com': sidecar('proxy') })).findings).toEqual([
      'a.example.com refuses the object with the changes of all webhooks when it is called again: one container is enough',
    ]);
  });
});

describe('the unknown fields check', () => {
  const known = new Set(['name', 'image', 'resources', 'terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy']);
  /** Rebuilds the containers from the fields known to old types. */
  const forgetful = patching(pod =>
    listAt(pod, 'spec', 'containers').flatMap((container, i) =>
      container instanceof Map && [...container.keys()].some(key => !known.has(key))
        ? [{ op: 'replace', path: `/spec/containers/${i}`, value: new Map([...container].filter(([key]) => known.has(key))) }]
        : [],
    ),
  );
  const note =
    'unknown-fields: fieldOfANewerVersion was added as a field of a newer Kubernetes to each part of the object that the call may change';

  it('passes when the field is kept, even in a moved part', async () => {
    const first = patching(() => [{ op: 'add', path: '/spec/containers/0', value: { name: 'proxy', image: 'proxy:1' } }]);
    expect(await found('unknown-fields', { 'm.example.com': first })).toEqual({ findings: [], notes: [note] });
  });

  it('passes when a part is removed with its fields', async () => {
    const removing = patching(() => [{ op: 'remove', path: '/spec/securityContext' }]);
    expect((await found('unknown-fields', { 'm.example.com': removing })).findings).toEqual([]);
  });

  it('finds dropped fields of built-in kinds', async () => {
    expect((await found('unknown-fields', { 'm.example.com': forgetful })).findings).toEqual([
      'm.example.com drops unknown fields: its patch removes a new field of /spec/containers/0',
    ]);
  });

  it('finds webhooks that refuse objects with unknown fields', async () => {
    const strict: HandlerCase = request =>
      mapAt(request, 'object', 'spec')?.has('fieldOfANewerVersion') === true ? refused('unknown field "spec.new"') : { allowed: true };
    expect((await found('unknown-fields', { 'v.example.com': { handler: strict, phase: 'validating' } })).findings).toEqual([
      'v.example.com refuses an object with an unknown field: unknown field "spec.new"',
    ]);
  });

  it('adds fields to the status for calls of the status subresource only', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'default', uid: 'u' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const body = Buffer.from(JSON.stringify({ ...pod, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }));
    const call = { method: 'PUT', path: '/api/v1/namespaces/default/pods/a/status', contentType: 'application/json', body };
    const rewriting = patching(() => [
      { op: 'replace', path: '/status', value: { phase: 'Running' } },
      { op: 'replace', path: '/spec', value: pod.spec },
    ]);
    expect((await found('unknown-fields', { 'm.example.com': rewriting }, { call, objects: [pod] })).findings).toEqual([
      'm.example.com drops unknown fields: its patch removes a new field of /status',
    ]);
  });

  it('adds fields to custom resources in objects with declared properties', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'backups.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'backups', singular: 'backup', kind: 'Backup', listKind: 'BackupList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      selector: { type: 'object', additionalProperties: { type: 'string' } },
                      steps: { type: 'array', items: { type: 'object', properties: { run: { type: 'string' } } } },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    };
    const backup = {
      apiVersion: 'example.com/v1',
      kind: 'Backup',
      metadata: { name: 'b' },
      spec: { selector: { app: 'x' }, steps: [{ run: 'a' }] },
    };
    const call = creation('/apis/example.com/v1/namespaces/default/backups', backup);
    const rewriting = patching(object => [
      {
        op: 'replace',
        path: '/spec',
        value: { selector: mapAt(object, 'spec', 'selector'), steps: [{ run: stringAt(object, 'spec', 'steps', 0, 'run') }] },
      },
    ]);
    const { findings } = await found('unknown-fields', { 'm.example.com': rewriting }, { call, objects: [definition] });
    expect(findings).toEqual(['m.example.com drops unknown fields: its patch removes a new field of /spec, /spec/steps/0']);
  });
});

describe('the order check', () => {
  it('finds a pair of webhooks whose order matters', async () => {
    const labeling = patching(() => [{ op: 'add', path: '/metadata/labels', value: { team: 'shop' } }]);
    const copying = patching(pod => [
      { op: 'add', path: '/spec/hostname', value: stringAt(pod, 'metadata', 'labels', 'team') || 'nobody' },
    ]);
    expect((await found('order', { 'a.example.com': labeling, 'b.example.com': passive, 'c.example.com': copying })).findings).toEqual([
      'c.example.com called in the order c.example.com, b.example.com, a.example.com: /spec/hostname becomes "nobody" instead of "shop"',
    ]);
  });

  it('only notes a different order of containers, which Kubernetes ignores', async () => {
    expect(await found('order', { 'a.example.com': sidecar('one'), 'b.example.com': sidecar('two') })).toEqual({
      findings: [],
      notes: ['order: 1 of 1 other orders were tried', 'order: the items of /spec/containers are reordered'],
    });
  });

  it('reports a different order of init containers, which run in order', async () => {
    const init = (name: string): HandlerCase =>
      patching(pod => [
        listAt(pod, 'spec', 'initContainers').length === 0
          ? { op: 'add', path: '/spec/initContainers', value: [{ name, image: `${name}:1` }] }
          : { op: 'add', path: '/spec/initContainers/-', value: { name, image: `${name}:1` } },
      ]);
    const { findings } = await found('order', { 'a.example.com': init('one'), 'b.example.com': init('two') });
    expect(findings).toEqual([
      expect.stringMatching(/^b\.example\.com called in the order b\.example\.com, a\.example\.com: \/spec\/initContainers\/0\//),
    ]);
  });

  it('does nothing for a single webhook', async () => {
    expect(await found('order', { 'a.example.com': passive })).toEqual({
      findings: [],
      notes: ['order: fewer than two mutating webhooks are called'],
    });
  });

  it.each([
    [2, 23, ['1,0']],
    [3, 23, ['1,0,2', '0,2,1', '2,1,0', '1,2,0', '2,0,1']],
    [4, 4, ['1,0,2,3', '0,2,1,3', '0,1,3,2', '3,2,1,0']],
  ])('tries the orders of %i webhooks, at most %i', (count, limit, expected) => {
    expect([ordersToTry(count, limit).map(String), otherOrders(4)]).toEqual([expected, 23]);
  });
});
