import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import type { Fault } from '../../admission/webhook-report.js';
import { answerCauses, reviewCauses } from './answer-causes.js';
import type { Cause, Stage } from './cause.js';
import { certificateCauses } from './certificate-causes.js';
import { clientCauses } from './client-causes.js';
import { connectionCauses, timeCauses } from './connection-causes.js';
import { conversionCauses } from './conversion-causes.js';
import type { FailedStage } from './failed-stage.js';
import { httpCauses } from './http-causes.js';
import { patchCauses } from './patch-causes.js';
import { policyCauses } from './policy-causes.js';
import { type RefusalCause, refusalCauses } from './refusal-causes.js';

/** Every cause there is a word for. The first that fits a text counts: the more exact ones stand before the others. */
export const causes: readonly Cause[] = [
  ...clientCauses,
  ...connectionCauses,
  ...timeCauses,
  ...certificateCauses,
  ...httpCauses,
  ...answerCauses,
  ...reviewCauses,
  ...patchCauses,
];

/** What a text of the API server means. */
export interface Explanation {
  /** Of the table; `other-CLASS` when the table has no word for it. */
  readonly id: string;
  readonly class: FailureClass;
  readonly fault: Fault;
  readonly why: string;
  readonly try: string;
}

/** A reason taken apart: how far the call came, and the words that say why it came no further. */
export interface Reason {
  readonly stage: Stage | undefined;
  readonly words: string;
  /** As Go prints it, with its query: `https://guard.shop.svc:443/validate?timeout=10s`. */
  readonly url: string | undefined;
}

/**
 * Takes a reason apart: what follows `failed calling webhook "NAME": `, or the message of a call that failed after its webhook had
 * answered. Without any words around them the stage is unknown.
 */
export function readReason(reason: string): Reason {
  for (const [pattern, stage] of wrappers) {
    const match = pattern.exec(reason);
    if (match !== null) return { stage, words: reason.slice(match[0].length), url: match.groups?.['url'] };
  }
  return { stage: undefined, words: reason, url: undefined };
}

/** Explains why a call failed, whose fault it is, and what to do. The class is that of the stage that failed. */
export function explainFailure(failureClass: FailureClass, { stage, words }: FailedStage): Explanation {
  const found = causeOf(words, stage);
  return found !== undefined && found.class === failureClass ? found : unnamed[failureClass];
}

/** The cause of these words at this stage; at any, when it is unknown. Undefined: the table has no word for it. */
export function causeOf(words: string, stage: Stage | undefined): Explanation | undefined {
  return firstOf(
    causes.filter(({ stages, needsContext }) => (stage === undefined ? needsContext !== true : stages?.includes(stage) !== false)),
    words,
  );
}

/** The cause behind `conversion webhook for KIND failed: WORDS`, and `... returned WORDS`. Words nobody knows are the webhook's own. */
export function conversionCauseOf(words: string): Explanation {
  const reason = readReason(words);
  if (reason.stage === 'request') return causeOf(reason.words, 'request') ?? unnamedCauseAt('request');
  return firstOf(conversionCauses, words) ?? causeOf(words, 'answer') ?? conversionFailed;
}

/** The cause of a message that no failed call is behind; undefined: the table has no word for it. */
export function refusalOf(message: string): RefusalCause | undefined {
  return firstOf([...policyCauses, ...refusalCauses], message);
}

/** What words mean that the table does not know: all that is left at this stage. */
export function unnamedCauseAt(stage: Stage): Explanation {
  return unnamed[classLeft[stage]];
}

/** The words the API server puts around a reason, the longest first. */
const wrappers: readonly (readonly [RegExp, Stage])[] = [
  [/^could not get REST client: /, 'client'],
  [/^(?:failed to call webhook: )?(?:Post|Get) "(?<url>(?:\\.|[^"\\])*)": /, 'request'],
  // An answer without any text leaves nothing behind the colon, and pastes lose the blank.
  [/^failed to call webhook:(?: |$)/, 'answer'],
  [/^received invalid webhook response: /, 'review'],
  [/^received undecodable patch in webhook response: /, 'patch'],
  [/^Internal error occurred: /, 'apply'],
];

/** Words nobody knows are at the `answer` stage what the webhook itself wrote into an answer that is no success. */
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
    try: 'check the name, or say where it is: --resolve HOST:PORT:ADDRESS',
  },
  tcp: {
    id: 'other-tcp',
    class: 'tcp',
    fault: 'network',
    why: 'the connection to the webhook could not be made or broke',
    try: 'check that the webhook is running and reachable',
  },
  tls: {
    id: 'other-tls',
    class: 'tls',
    fault: 'certificate',
    why: 'the TLS handshake with the webhook failed',
    try: 'look at its certificate: webhook-cli certs inspect HOST:PORT',
  },
  http: {
    id: 'other-http',
    class: 'http',
    fault: 'webhook',
    why: 'the webhook answered with an HTTP status that is no success; the text is from its answer, whose body is not read as a review',
    try: 'answer 200 and put the decision into response.allowed and response.status',
  },
  time: {
    id: 'other-time',
    class: 'time',
    fault: 'webhook',
    why: 'the webhook did not answer in time',
    try: 'make it faster, or raise timeoutSeconds (30 at most)',
  },
  body: {
    id: 'other-body',
    class: 'body',
    fault: 'webhook',
    why: 'the answer is no AdmissionReview',
    try: 'answer the JSON of an AdmissionReview of the version that was sent',
  },
  review: {
    id: 'other-review-rule',
    class: 'review',
    fault: 'webhook',
    why: 'the answer breaks a rule of AdmissionReview',
    try: 'echo request.uid, apiVersion and kind; send patch and patchType together',
  },
  patch: {
    id: 'other-patch',
    class: 'patch',
    fault: 'webhook',
    why: 'the patch does not apply to the object as it was sent, or its result is no such object',
    try: 'look at the object as it was sent: webhook-cli request',
  },
  limit: {
    id: 'other-limit',
    class: 'limit',
    fault: 'webhook',
    why: 'the answer is larger than any webhook answer should be',
    try: 'answer with a review, not with data',
  },
} satisfies Record<FailureClass, Explanation>;

/** What a conversion webhook says in `result.message` goes to the client as it is. */
const conversionFailed: Explanation = {
  id: 'conversion-failed',
  class: 'review',
  fault: 'webhook',
  why: 'the conversion webhook said that it cannot convert: these are its own words',
  try: 'let it convert every object that is stored; an object that cannot be converted can be neither read nor deleted',
};

/** The first entry whose text fits, with its sentences filled in. */
function firstOf<C extends RefusalCause>(table: readonly C[], words: string): C | undefined {
  for (const cause of table) {
    const match = cause.text.exec(words);
    if (match !== null) return { ...cause, why: filled(cause.why, match.groups), try: filled(cause.try, match.groups) };
  }
  return undefined;
}

function filled(text: string, groups: Readonly<Record<string, string>> | undefined): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => groups?.[name] ?? whole);
}
