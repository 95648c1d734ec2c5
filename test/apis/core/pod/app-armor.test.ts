import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../../../src/client/run/allowing-webhook.js';
import { clusterStateWith } from '../../../support/cluster-state.js';

/** A dry run that was sent to kube-apiserver v1.36.3: its warnings, and the security contexts of the containers, or the causes of the refusal. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly object: object;
  readonly status: number;
  readonly warnings: readonly string[];
  readonly contexts?: readonly unknown[];
  readonly causes?: readonly string[];
}

const cases: readonly Case[] = JSON.parse(readFileSync(new URL('app-armor.json', import.meta.url), 'utf8'));

interface Container {
  readonly securityContext?: object;
}

interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

function contextsIn({ initContainers = [], containers }: PodSpec) {
  return [...initContainers, ...containers].map(({ securityContext = null }) => securityContext);
}

describe('annotations with AppArmor profiles', () => {
  it.each(cases)('$name', async ({ path, object, status, warnings, contexts, causes }) => {
    const call = { method: 'POST', path: `${path}?dryRun=All`, contentType: 'application/json', body: Buffer.from(JSON.stringify(object)) };
    const { answer } = await handleCall(call, clusterStateWith(), effectsFor(allowWithoutSending));
    const body = JSON.parse(answer.body);
    expect(answer.status).toBe(status);
    expect(answer.warnings).toEqual(warnings);
    if (contexts !== undefined) expect(contextsIn(body.spec ?? body.template.spec)).toEqual(contexts);
    const told: readonly { readonly field: string; readonly message: string }[] = body.details?.causes ?? [];
    if (causes !== undefined) expect(told.map(({ field, message }) => `${field}: ${message}`).sort()).toEqual(causes);
  });
});
