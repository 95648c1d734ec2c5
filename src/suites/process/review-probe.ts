import type { CallStage } from '../../kubernetes/call-steps.js';
import { type CallWebhook, defaultTimeoutSeconds, type WebhookCall } from '../../kubernetes/webhook-call.js';

/** The webhook to probe, as registered. */
export type ProbedWebhook = Pick<WebhookCall, 'url' | 'address' | 'serverName' | 'caBundle'> & {
  /** False if the webhook's path is unknown, so that a missing path says nothing. */
  readonly hasPath?: boolean;
};

/** Statuses of a proxy whose backend is not ready yet, and of a server that listens before its paths exist. */
export const notReadyStatuses: readonly number[] = [404, 502, 503, 504];

/** The first answer of a webhook may be slow: it must not be cut off before the ready timeout has a chance to pass. */
const timeoutSeconds = defaultTimeoutSeconds;

/**
 * Sends one review, a dry run of the creation of a pod, over TLS like every other review: undefined when the webhook answers, else the
 * reason. A refusal or a status such as 400 or 500 counts, too, and so does a connection that is closed in place of an answer: the webhook may not handle
 * pods, or panic on this one, and the cases report errors better.
 */
export async function reviewProbe(
  { url, hasPath = true, ...webhook }: ProbedWebhook,
  callWebhook: CallWebhook,
): Promise<string | undefined> {
  const stages = new Set<CallStage>();
  const call: WebhookCall = {
    ...webhook,
    url: `${url}?timeout=${timeoutSeconds}s`,
    phase: 'validating',
    configuration: 'ready',
    webhook: 'ready',
    timeoutSeconds,
    deadlineMs: timeoutSeconds * 1000,
    apiVersion: review.apiVersion,
    uid: review.request.uid,
    body: `${JSON.stringify(review)}\n`,
  };
  const answer = await callWebhook(call, stage => stages.add(stage));
  if (answer.outcome === 'failed' && stages.has('wait') && /\bEOF$|\bINTERNAL_ERROR\b/.test(answer.message)) return undefined;
  if (answer.outcome !== 'answered') return answer.message;
  if (answer.statusCode === 404 && !hasPath) return undefined;
  return notReadyStatuses.includes(answer.statusCode) ? statusReason(answer.statusCode, url) : undefined;
}

/** A path that is still unknown is often a mistake in the configuration. */
function statusReason(statusCode: number, url: string): string {
  const reason = `it answers with the HTTP status ${statusCode}`;
  return statusCode === 404
    ? `${reason} at ${new URL(url).pathname}, the path of the configuration: compare it with the path that the webhook serves`
    : reason;
}

/** A pod that exists nowhere. */
export const probePod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'webhook-cli-ready', namespace: 'default' },
  spec: { containers: [{ name: 'ready', image: 'ready:1' }] },
};

const review = {
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: '00000000-0000-4000-8000-000000000000',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    requestKind: { group: '', version: 'v1', kind: 'Pod' },
    requestResource: { group: '', version: 'v1', resource: 'pods' },
    name: probePod.metadata.name,
    namespace: probePod.metadata.namespace,
    operation: 'CREATE',
    userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    object: probePod,
    oldObject: null,
    dryRun: true,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] },
  },
};
