import { randomUUID } from 'node:crypto';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { Report } from '../../../src/apiserver/report/report.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { type ExitCode, exitCodeOfReport } from '../../../src/cli/shell/exit-codes.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { stringAt, toValue } from '../../../src/go/value.js';
import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import { readScript } from '../../../src/webhook-server/script/read-script.js';
import { startScriptedEndpoint } from '../../../src/webhook-server/script/scripted-endpoint.js';
import { profileNamed } from '../../support/certificate-profiles.js';
import { apiServers } from '../../support/server.js';
import type { Decision, Fault, Setting } from './fault.js';

/** Result of a fault. */
export interface Outcome {
  readonly decision: Decision;
  readonly message: string;
  readonly exitCode: ExitCode;
}

const atOnce = 16;

/** Plays all faults, some concurrently. */
export async function outcomesOf(faults: readonly Fault[]): Promise<ReadonlyMap<Fault, Outcome>> {
  const outcomes = new Map<Fault, Outcome>();
  const transport = createTransport();
  const play = async (some: readonly Fault[]): Promise<void> => {
    const waiting = some.values();
    const work = async (): Promise<void> => {
      for (const fault of waiting) outcomes.set(fault, await outcomeOf(fault, transport.callWebhook));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  await play(faults.filter(isTimed));
  await play(faults.filter(fault => !isTimed(fault)));
  await transport.close();
  return outcomes;
}

/** A second is too short next to large answers in the same process. */
function isTimed({ setting }: Fault): boolean {
  return typeof setting?.timeoutSeconds === 'number';
}

async function outcomeOf({ script, setting = {} }: Fault, callWebhook: CallWebhook): Promise<Outcome> {
  const profile = setting.made?.() ?? profileNamed(setting.certificate ?? 'valid');
  const host = setting.host === '[::1]' ? '::1' : '127.0.0.1';
  const endpoint = await startScriptedEndpoint(readScript(toValue(script)), profile, { host, port: 0 });
  try {
    const { call, state } = recordedCase(
      toValue(caseOf(setting, endpoint.port, profile.bundle)),
      {
        document: new Map(),
        servers: apiServers,
        definitions: undefined,
      },
      randomUUID,
    );
    const report = await handleCall(call, state, effectsFor(callWebhook));
    return {
      decision: decisionOf(report),
      message: masked(stringAt(report.decision.status, 'message'), endpoint.port),
      exitCode: exitCodeOfReport(report),
    };
  } finally {
    await endpoint.close();
  }
}

/** A case with one webhook, in the format of recorded cases. */
export function caseOf(setting: Setting, port: number, bundle: string): Readonly<Record<string, unknown>> {
  const { operation = 'CREATE', mutating = false, dryRun = false } = setting;
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: mutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: 'faults' },
    webhooks: [webhookOf(setting, port, bundle)],
  };
  const collection = '/api/v1/namespaces/default/configmaps';
  const query = dryRun ? '?dryRun=All' : '';
  const stored = { ...configMap, metadata: { ...configMap.metadata, uid: storedUid, resourceVersion: '1' } };
  const sent = { contentType: 'application/json' };
  const calls = {
    CREATE: { method: 'POST', path: `${collection}${query}`, ...sent, body: JSON.stringify(configMap) },
    UPDATE: { method: 'PUT', path: `${collection}/c${query}`, ...sent, body: JSON.stringify({ ...stored, data: { k: 'w' } }) },
    DELETE: { method: 'DELETE', path: `${collection}/c${query}` },
  };
  return {
    cluster: {
      objects: [namespace, ...(operation === 'CREATE' ? [] : [stored])],
      [mutating ? 'mutating' : 'validating']: [configuration],
    },
    call: calls[operation],
  };
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' }, status: { phase: 'Active' } };

export const storedUid = '4f0c4a8e-8b5a-4c5e-9d0b-0d4c2a6b1f3e';

/** The created object: data to patch, one list, no labels. */
export const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'default', finalizers: ['example.com/a'] },
  data: { k: 'v' },
};

function webhookOf(setting: Setting, port: number, bundle: string): Readonly<Record<string, unknown>> {
  const { host = '127.0.0.1', timeoutSeconds = 10, ignore = false, version = 'v1', sideEffects = 'None', matchCondition } = setting;
  const url = setting.url?.replace('PORT', String(port)) ?? `https://${host}:${port}/w`;
  const caBundle = Buffer.from(setting.bundle ?? bundle).toString('base64');
  return {
    name: 'w.example.com',
    clientConfig: { url, caBundle },
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'], scope: '*' }],
    failurePolicy: ignore ? 'Ignore' : 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects,
    ...(timeoutSeconds === 'unset' ? {} : { timeoutSeconds }),
    ...(matchCondition === undefined ? {} : { matchConditions: [{ name: 'c', expression: matchCondition }] }),
    admissionReviewVersions: [version],
    ...(setting.mutating === true ? { reinvocationPolicy: 'Never' } : {}),
  };
}

function decisionOf({ decision, webhooks }: Report): Outcome['decision'] {
  if (decision.allowed) return 'allowed';
  const [entry] = webhooks.filter(({ outcome }) => outcome !== 'allowed' && outcome !== 'skipped');
  return (
    entry?.failure?.class ?? (entry?.outcome === 'denied' ? 'denied' : webhooks.length > 0 && decision.code === 400 ? 'denied' : 'refused')
  );
}

/** Ports, uids and times differ in every run. */
function masked(text: string, port: number): string {
  return text
    .replaceAll(`:${port}`, ':PORT')
    .replace(/:\d+->/g, ':CLIENT->')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    .replace(/current time \S+ is (after|before) \S+/, 'current time NOW is $1 TIME');
}
