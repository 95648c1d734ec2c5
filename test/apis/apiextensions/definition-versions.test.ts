import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { webhookOf, webhooksPatching } from '../../apiserver/webhooks/patching-webhooks.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';

/** Versions of a definition that was sent to kube-apiserver v1.36.3, the patch of a webhook, and the refusal, the versions of the result, or that it panicked. */
interface Case {
  readonly name: string;
  readonly versions: readonly object[];
  readonly patch?: readonly object[];
  readonly message?: string;
  readonly result?: readonly object[];
  readonly closed?: boolean;
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('definition-versions.json', import.meta.url), 'utf8'));

const configuration = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [webhookOf('patching', 'Never', 'customresourcedefinitions')],
});

/** Creates a definition with the names of its recorded case. */
async function create({ versions, patch, message = '' }: Case) {
  const [name = 't'] = /t\d+/.exec(message) ?? [];
  const kind = name.toUpperCase();
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.x.io` },
    spec: { group: 'x.io', scope: 'Namespaced', names: { plural: `${name}s`, singular: name, kind, listKind: `${kind}List` }, versions },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const call = { method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(definition)) };
  const callWebhook = webhooksPatching(patch === undefined ? '' : 'patching', patch ?? [], () => {});
  const { answer } = await handleCall(call, clusterStateWith({ objects: [configuration] }), effectsFor(callWebhook));
  return answer;
}

it.each(cases)('$name', async recorded => {
  const { status, body } = await create(recorded);
  if (recorded.closed === true) return expect(status).toBe(0);
  const object = JSON.parse(body);
  expect(object.message).toBe(recorded.message);
  if (recorded.result !== undefined) expect(object.spec.versions).toEqual(recorded.result);
});
