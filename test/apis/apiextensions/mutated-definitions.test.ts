import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { webhookOf, webhooksPatching } from '../../apiserver/webhooks/patching-webhooks.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';

/** A definition as it was sent to kube-apiserver v1.36.3, the patch of a webhook, and the refusal or the versions of the result. */
interface Case {
  readonly name: string;
  readonly versions: readonly object[];
  readonly patch: readonly object[];
  readonly message?: string;
  readonly result?: readonly object[];
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('mutated-definitions.json', import.meta.url), 'utf8'));

const configuration = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [webhookOf('patching', 'Never', 'customresourcedefinitions')],
});

async function created(versions: readonly object[], patch: readonly object[], i: number) {
  const [plural, kind] = [`t${i}s`, `T${i}`];
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.x.io` },
    spec: { group: 'x.io', scope: 'Namespaced', names: { plural, singular: `t${i}`, kind, listKind: `${kind}List` }, versions },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const call = { method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(definition)) };
  const callWebhook = webhooksPatching(patch.length > 0 ? 'patching' : '', patch, () => {});
  const { answer } = await handleCall(call, clusterStateWith({ objects: [configuration] }), effectsFor(callWebhook));
  return JSON.parse(answer.body);
}

it.each(cases.map((recorded, i) => ({ ...recorded, i })))('a webhook $name', async ({ versions, patch, message, result, i }) => {
  const object = await created(versions, patch, i);
  expect(object.message).toBe(message);
  if (result !== undefined) expect(object.spec.versions).toEqual(result);
});
