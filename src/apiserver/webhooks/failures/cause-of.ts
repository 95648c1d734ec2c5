import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import type { WebhookFault } from '../../admission/webhook-report.js';
import { answerCauses, reviewCauses } from './answer-causes.js';
import type { FailedStage, FailureCause, Stage } from './cause.js';
import { certificateCauses } from './certificate-causes.js';
import { clientCauses, connectionCauses, timeCauses } from './connection-causes.js';
import { conversionCauses } from './conversion-causes.js';
import { handshakeCauses } from './handshake-causes.js';
import { httpCauses } from './http-causes.js';
import { patchCauses } from './patch-causes.js';
import { policyCauses } from './policy-causes.js';
import { type RefusalCause, refusalCauses } from './refusal-causes.js';

/** All known causes. The first match is used: more specific ones come first. */
const causes: readonly FailureCause[] = [
  ...clientCauses,
  ...connectionCauses,
  ...timeCauses,
  ...certificateCauses,
  ...httpCauses,
  ...answerCauses,
  ...reviewCauses,
  ...patchCauses,
];

/** Explanation of an API server's message. */
export interface FailureExplanation {
  /** Id of the cause; `other-CLASS` when none matches. */
  readonly id: string;
  readonly class: FailureClass;
  readonly fault: WebhookFault;
  readonly why: string;
  readonly try: string;
}

/** Parsed reason: the stage that was reached, and the message of the failure. */
export interface Reason {
  readonly stage: Stage | undefined;
  readonly message: string;
  /** URL as Go prints it, with its query: `https://guard.shop.svc:443/validate?timeout=10s`. */
  readonly url: string | undefined;
}

/**
 * Parses a reason: the text after `failed calling webhook "NAME": `, or the message of a call that failed after the webhook's response.
 * Without any surrounding text the stage is unknown.
 */
export function readReason(reason: string): Reason {
  for (const [pattern, stage] of wrappers) {
    const match = pattern.exec(reason);
    if (match !== null) return { stage, message: reason.slice(match[0].length), url: match.groups?.['url'] };
  }
  return { stage: undefined, message: reason, url: undefined };
}

/** Explains why a call failed, who is at fault, and what to do. The class is that of the failed stage. */
export function explainFailure(failureClass: FailureClass, { stage, message }: FailedStage, hasBundle = true): FailureExplanation {
  const cause = causeOf(message, stage);
  const found = cause?.id === 'unknown-authority' && !hasBundle ? { ...cause, ...withoutBundle } : cause;
  return found !== undefined && found.class === failureClass ? found : unnamed[failureClass];
}

/** The message of an unknown authority does not tell whether there was a caBundle. */
const withoutBundle = {
  why: 'the configuration has no caBundle, so that only the CAs of the system are trusted; in a cluster, a tool such as cert-manager writes one',
  try: 'pass the CA of the serving certificate with --ca-file, such as certs/ca.crt of "webhook-cli certs create"',
};

/** Returns the cause of a message at this stage; at any, when it is unknown. Undefined when none matches. */
export function causeOf(message: string, stage: Stage | undefined): FailureExplanation | undefined {
  return firstOf(
    causes.filter(({ stages, needsContext }) => (stage === undefined ? needsContext !== true : stages?.includes(stage) !== false)),
    message,
  );
}

/**
 * Returns the cause of `conversion webhook for KIND failed: MESSAGE`, and `... returned MESSAGE`. An unknown message is the webhook's own.
 */
export function conversionCauseOf(message: string): FailureExplanation {
  const reason = readReason(message);
  if (reason.stage === 'request') return causeOf(reason.message, 'request') ?? unnamedCauseAt('request');
  return firstOf(conversionCauses, message) ?? causeOf(message, 'answer') ?? conversionFailed;
}

/** Returns the cause of a message without a failed call; undefined when none matches. */
export function refusalOfFailure(message: string): RefusalCause | undefined {
  return firstOf([...policyCauses, ...handshakeCauses, ...refusalCauses], message);
}

/** Returns the generic explanation of an unknown message at this stage. */
export function unnamedCauseAt(stage: Stage): FailureExplanation {
  return unnamed[classLeft[stage]];
}

/** Prefixes that the API server adds to a reason, the longest first. */
const wrappers: readonly (readonly [RegExp, Stage])[] = [
  [/^could not get REST client: /, 'client'],
  [/^(?:failed to call webhook: )?(?:Post|Get) "(?<url>(?:\\.|[^"\\])*)": /, 'request'],
  // Before Go 1.14 the URL had no quotes.
  [/^(?:failed to call webhook: )?(?:Post|Get) (?<url>https?:\/\/\S+?): /, 'request'],
  // A response without any text leaves nothing after the colon, and pasted text loses the space.
  [/^failed to call webhook:(?: |$)/, 'answer'],
  [/^received invalid webhook response: /, 'review'],
  [/^received undecodable patch in webhook response: /, 'patch'],
  [/^Internal error occurred: /, 'apply'],
];

/** At the `answer` stage an unknown message is the webhook's own text of an unsuccessful response. */
const classLeft = {
  client: 'tls',
  request: 'tcp',
  answer: 'http',
  review: 'review',
  patch: 'patch',
  apply: 'patch',
} satisfies Record<Stage, FailureClass>;

const unnamed = {
  dns: {
    id: 'other-dns',
    class: 'dns',
    fault: 'network',
    why: 'the host name of the webhook cannot be resolved',
    try: 'check the name, or pass its address: --resolve HOST:PORT:ADDRESS',
  },
  tcp: {
    id: 'other-tcp',
    class: 'tcp',
    fault: 'network',
    why: 'the connection to the webhook failed or was lost',
    try: 'check that the webhook is running and reachable',
  },
  tls: {
    id: 'other-tls',
    class: 'tls',
    fault: 'certificate',
    why: 'the TLS handshake with the webhook failed',
    try: 'inspect its certificate: webhook-cli certs inspect HOST:PORT',
  },
  http: {
    id: 'other-http',
    class: 'http',
    fault: 'webhook',
    why: 'the webhook responded with an HTTP error status; the text is from its response, whose body is not parsed as a review',
    try: 'respond with 200 and set response.allowed and response.status',
  },
  time: {
    id: 'other-time',
    class: 'time',
    fault: 'webhook',
    why: 'the webhook did not respond in time',
    try: 'make it faster, or increase timeoutSeconds (max 30)',
  },
  body: {
    id: 'other-body',
    class: 'body',
    fault: 'webhook',
    why: 'the response is not an AdmissionReview',
    try: 'respond with the JSON of an AdmissionReview in the version that was sent',
  },
  review: {
    id: 'other-review-rule',
    class: 'review',
    fault: 'webhook',
    why: 'the response violates a rule of AdmissionReview',
    try: 'echo request.uid, apiVersion and kind; send patch and patchType together',
  },
  patch: {
    id: 'other-patch',
    class: 'patch',
    fault: 'webhook',
    why: 'the patch does not apply to the object that was sent, or its result is not a valid object of this kind',
    try: 'check the object that was sent: webhook-cli request',
  },
  limit: {
    id: 'other-limit',
    class: 'limit',
    fault: 'webhook',
    why: 'the response is larger than any webhook response should be',
    try: 'send only an AdmissionReview',
  },
} satisfies Record<FailureClass, FailureExplanation>;

/** The message in a conversion webhook's `result.message` is passed to the client unchanged. */
const conversionFailed: FailureExplanation = {
  id: 'conversion-failed',
  class: 'review',
  fault: 'webhook',
  why: 'the conversion webhook refused to convert; this is its message',
  try: 'make it convert every stored object; an object that cannot be converted can be neither read nor deleted',
};

/** Returns the first matching cause, with its sentences filled in. */
function firstOf<C extends RefusalCause>(table: readonly C[], message: string): C | undefined {
  for (const cause of table) {
    const match = cause.text.exec(message);
    if (match !== null) return { ...cause, why: filled(cause.why, match.groups), try: filled(cause.try, match.groups) };
  }
  return undefined;
}

function filled(text: string, groups: Readonly<Record<string, string>> | undefined): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => groups?.[name] ?? whole);
}
