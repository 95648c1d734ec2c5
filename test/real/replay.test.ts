import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import type { CallWebhook } from '../../src/kubernetes/webhook-call.js';
import { projectRoot } from '../corpus/files.js';
import { clusterStateWith } from '../support/cluster-state.js';

/** Recorded answer of a third-party webhook, and kube-apiserver's results in both phases. */
interface Example {
  readonly name: string;
  readonly path: string;
  readonly review: { readonly apiVersion: string; readonly request: Record<string, unknown> };
  readonly answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
  readonly decided: Readonly<Record<'mutating' | 'validating', Decided>>;
}

interface Decided {
  readonly called: number;
  readonly status: number;
  /** Whole headers. */
  readonly warnings: readonly string[];
  readonly answer?: unknown;
  readonly object?: unknown;
}

const folder = path.join(projectRoot, 'fixtures/real');

for (const file of readdirSync(folder)) {
  const examples = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Example[];
  describe(`the recorded answers of ${file.replace('.json', '')}`, () => {
    for (const example of examples) {
      for (const phase of ['mutating', 'validating'] as const) {
        it(`${example.name}, ${phase}: the client gets the API server's response`, async () => {
          expect(await decide(example, phase)).toEqual(example.decided[phase]);
        });
      }
    }
  });
}

async function decide(example: Example, phase: 'mutating' | 'validating'): Promise<Decided> {
  const { request, apiVersion } = example.review;
  const uid = String(request['uid']);
  let called = 0;
  const callWebhook: CallWebhook = async call => {
    called += 1;
    const sent = /"uid":"([^"]+)"/.exec(call.body)?.[1] ?? '';
    const body = Buffer.from(example.answer.body.replaceAll(uid, sent));
    return { outcome: 'answered', statusCode: example.answer.status, headers: Object.entries(example.answer.headers), body, durationMs: 1 };
  };
  const state = clusterStateWith({ objects: [configuration(phase, apiVersion)], presumesNamespaces: false });
  const { resource, namespace } = request as { resource: { resource: string }; namespace: string };
  const call = {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/${resource.resource}`,
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(request['object'])),
  };
  const { answer } = await handleCall(call, state, effectsFor(callWebhook));
  const body = comparable(answer.body, uidSent(answer.body), uid);
  const result = { called, status: answer.status, warnings: answer.warnings.map(w => `299 - ${JSON.stringify(w)}`) };
  return answer.status >= 400 ? { ...result, answer: body } : { ...result, object: body };
}

function configuration(phase: 'mutating' | 'validating', apiVersion: string): ValueMap {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  const webhook = {
    name: 'real.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules,
    sideEffects: 'None',
    admissionReviewVersions: [apiVersion.slice(apiVersion.indexOf('/') + 1)],
  };
  return toValue({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'real' }, webhooks: [webhook] }) as ValueMap;
}

function uidSent(text: string): string | undefined {
  return /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
}

/** Removes values that differ between recordings. */
function comparable(text: string, sent: string | undefined, uid: string): unknown {
  const body = JSON.parse(sent !== undefined && text.includes('"Status"') ? text.replaceAll(sent, uid) : text) as {
    metadata: Record<string, unknown>;
  };
  for (const field of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'generation']) delete body.metadata[field];
  return JSON.parse(JSON.stringify(body).replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-xxxxx'));
}
