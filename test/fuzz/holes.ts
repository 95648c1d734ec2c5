import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { commandsOf } from '../../src/fuzz/bypass/report.js';
import { searchBypass } from '../../src/fuzz/bypass/search.js';
import { isAdmissionObject, pipelineOf } from '../../src/fuzz/pipeline/pipeline.js';
import { literalsOf } from '../../src/fuzz/run/dictionary.js';
import { allTargets } from '../../src/fuzz/run/targets.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { defaultMinor } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import type { CallWebhook } from '../../src/kubernetes/webhook-call.js';

/** The part of a review request that policies of tests look at. */
export interface PolicyRequest {
  readonly operation: string;
  readonly kind: { readonly kind: string };
  readonly subResource?: string;
  // biome-ignore lint/suspicious/noExplicitAny: policies look at any kind.
  readonly object: any;
}

/** A validating webhook in the same process. */
export interface Policy {
  readonly rules: readonly object[];
  /** Other fields of the webhook in its configuration. */
  readonly fields?: object;
  readonly refuses: (request: PolicyRequest) => boolean;
  /** Bodies of more bytes are answered with status 413. */
  readonly maxBytes?: number;
  /** What else exists. */
  readonly objects?: readonly object[];
}

const now = (): Date => new Date('2026-01-01T00:00:00Z');

function manifest(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('a manifest is an object');
  return made;
}

/** Searches for ways around a policy; returns the titles, and the kubectl commands of each. */
export async function waysAround(
  { rules, fields = {}, refuses, maxBytes = Number.POSITIVE_INFINITY, objects = [] }: Policy,
  forbidden: object,
): Promise<{ readonly title: string; readonly commands: readonly string[] }[]> {
  const server = apiServers({ minor: defaultMinor, featureGates: '' });
  const webhook = {
    ...{ name: 'policy.example.com', rules, sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...{ clientConfig: { url: 'https://127.0.0.1:1/' }, ...fields },
  };
  const configuration = manifest({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'policy' },
    webhooks: [webhook],
  });
  const state = stateOf(
    [configuration, ...objects.map(manifest)],
    { server, options: defaultServerOptions, presumesNamespaces: true },
    { uid: () => 'a', now },
  );
  const callWebhook: CallWebhook = async ({ body }) => {
    const { apiVersion, kind, request } = JSON.parse(body) as {
      apiVersion: string;
      kind: string;
      request: PolicyRequest & { uid: string };
    };
    const response = { uid: request.uid, allowed: !refuses(request) };
    const answer = Buffer.from(JSON.stringify({ apiVersion, kind, response }));
    const statusCode = Buffer.byteLength(body) > maxBytes ? 413 : 200;
    return { outcome: 'answered', statusCode, headers: [['content-type', 'application/json']], body: answer, durationMs: 1 };
  };
  const scene = {
    ...{ state, callWebhook, now },
    effects: (used: CallWebhook, _: unknown, seed: number) => effectsFor(used, { seed, now: now() }),
  };
  const pipeline = pipelineOf(() => scene);
  const literals = literalsOf(state.objects.filter(isAdmissionObject));
  const { bypasses, obstacle } = await searchBypass(manifest(forbidden), {
    pipeline,
    targets: allTargets(state),
    literals,
    words: [],
    isOver: () => false,
  });
  if (obstacle !== undefined) throw new Error(obstacle.reason);
  return bypasses.map(bypass => ({ title: bypass.way.title, commands: commandsOf(bypass) }));
}
