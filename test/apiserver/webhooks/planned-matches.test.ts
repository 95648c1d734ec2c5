import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import type { ValueMap } from '../../../src/go/value.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { webhookOf, webhooksPatching } from './patching-webhooks.js';

const namespace = (labels: object, name = 'team') => mapOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const webhooks = (...members: readonly object[]) =>
  mapOf({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'v' },
    webhooks: members,
  });
const ofTeam = { ...webhookOf('team', 'Never', 'configmaps'), namespaceSelector: { matchLabels: { team: 'a' } } };
const ofObject = { ...webhookOf('object', 'Never', 'configmaps'), objectSelector: { matchLabels: { app: 'b' } } };
const ruleOfAll = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
const ofVersion = (matchPolicy: string) => ({
  ...webhookOf(matchPolicy.toLowerCase(), 'Never'),
  matchPolicy,
  rules: [{ apiGroups: ['example.com'], apiVersions: ['v2'], operations: ['CREATE'], resources: ['things'] }],
});
const things = (...versions: readonly string[]) =>
  mapOf(thingsDefinition(versions.map(name => thingsVersion({ type: 'object' }, {}, name))));

/** Creates an object among these stored objects, or updates it. Returns the names of the webhooks that it reached. */
async function reached(
  objects: readonly ValueMap[],
  kind: 'configmaps' | 'things' | 'secrets',
  metadata: object = {},
  { team = 'team', isUpdate = false } = {},
) {
  const names: string[] = [];
  const effects = effectsFor(webhooksPatching('none', [], name => names.push(name)));
  const [group, version] = kind === 'things' ? ['apis/example.com', 'v1'] : ['api', 'v1'];
  const apiVersion = kind === 'things' ? 'example.com/v1' : 'v1';
  const object = {
    apiVersion,
    kind: { configmaps: 'ConfigMap', things: 'Thing', secrets: 'Secret' }[kind],
    metadata: { name: 'a', ...metadata },
  };
  const body = Buffer.from(JSON.stringify(object));
  const path = `/${group}/${version}/namespaces/${team}/${kind}${isUpdate ? '/a' : ''}`;
  const call = { method: isUpdate ? 'PUT' : 'POST', path, contentType: 'application/json', body };
  const { answer } = await handleCall(call, clusterStateWith({ objects, presumesNamespaces: false }), effects);
  expect([200, 201, 404]).toContain(answer.status);
  return names.join(' ');
}

it('follows the labels of the namespace and of the object from call to call', async () => {
  const configuration = webhooks(ofTeam, ofObject);
  const [a, b] = [namespace({ team: 'a' }), namespace({ team: 'b' })];
  expect(await reached([a, configuration], 'configmaps')).toBe('team');
  expect(await reached([a, configuration], 'configmaps', { labels: { app: 'b' } })).toBe('team object');
  expect(await reached([b, configuration], 'configmaps')).toBe('');
  expect(await reached([a, configuration], 'configmaps')).toBe('team');
  expect(await reached([a, configuration], 'secrets')).toBe('');
  const others = [namespace({ team: 'a' }, 'other'), namespace({ team: 'b' }, 'third'), configuration];
  expect(await reached(others, 'configmaps', {}, { team: 'other' })).toBe('team');
  expect(await reached(others, 'configmaps', {}, { team: 'third' })).toBe('');
});

it('follows changed rules of webhooks', async () => {
  const team = namespace({ team: 'a' });
  expect(await reached([team, webhooks(ofTeam)], 'configmaps')).toBe('team');
  expect(await reached([team, webhooks({ ...ofTeam, rules: [] })], 'configmaps')).toBe('');
  expect(await reached([team, webhooks({ ...ofTeam, namespaceSelector: {} })], 'configmaps')).toBe('team');
});

it('follows the operation', async () => {
  const stored = mapOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'team' } });
  const always = [namespace({}), webhooks({ ...webhookOf('created', 'Never'), rules: [{ ...ruleOfAll, operations: ['CREATE'] }] })];
  expect(await reached(always, 'configmaps')).toBe('created');
  expect(await reached([...always, stored], 'configmaps', { labels: { a: 'b' } }, { isUpdate: true })).toBe('');
});

it('follows the versions of a definition', async () => {
  const always = [namespace({}), webhooks(ofVersion('Equivalent'), ofVersion('Exact'))];
  expect(await reached([...always, things('v1')], 'things')).toBe('');
  expect(await reached([...always, things('v1', 'v2')], 'things')).toBe('equivalent');
  expect(await reached([...always, things('v1')], 'things')).toBe('');
});

it('refuses a call to a namespace that does not exist any more', async () => {
  const configuration = webhooks({ ...ofTeam, failurePolicy: 'Fail' });
  expect(await reached([namespace({ team: 'a' }), configuration], 'configmaps')).toBe('team');
  expect(await reached([configuration], 'configmaps')).toBe('');
});
