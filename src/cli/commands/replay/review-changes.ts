import { stringAt } from '../../../go/value.js';
import { jsonWithoutSecretsOf } from '../../../redaction/secrets.js';
import type { LoggedReviewOptions } from '../../../replay/logged-review.js';
import { callOutcomeOf, type OutcomeChange } from '../../../replay/outcome.js';
import { recordedAnswerDocument } from '../../../suites/recordings/answer-document.js';
import { recordedDifferences } from '../../../suites/recordings/compare-answers.js';
import { answeredReview } from '../../../suites/recordings/recording-failures.js';

/** Paths that a message names. */
const maxPaths = 10;

/**
 * Returns what differs between the recorded answer to a review and what webhooks and policies answer now. Patches that lead to the same object are equal,
 * and redacted values are not compared.
 */
export const changesOfReview: LoggedReviewOptions['changesOfReview'] = ({ captured, recorded }, { report, exchanges }, server) => {
  const before = { review: captured.body, response: recorded };
  const document = recordedAnswerDocument(server, before);
  const [failure, wasAllowed] = [document.get('failure'), document.get('allowed') === true];
  if (failure !== undefined) return { unknown: 'the recorded answer is not a valid AdmissionReview' };
  const { decision } = report;
  const message = String(decision.status?.get('message') ?? '');
  const nothing = { namespace: '', name: '', group: '', resource: '', subresource: '', generateName: '' };
  const now = callOutcomeOf({ code: decision.code, message, annotations: decision.auditAnnotations }, nothing);
  // A webhook that is called again after another one has changed the object gets the same review.
  const called = [...new Map(exchanges.map(exchange => [`${exchange.call.configuration}/${exchange.call.webhook}`, exchange])).values()];
  const webhook = called.length === 1 ? (called[0]?.call.webhook ?? '') : (captured.path ?? 'the recorded webhook');
  const said = stringAt(document, 'status', 'message');
  if (wasAllowed && !now.allowed) return [{ change: now.isCallFailure ? 'error' : 'newly-refused', by: now.refusedBy, message }];
  if (!wasAllowed && now.allowed && now.failedOpen.length === 0) return [{ change: 'newly-allowed', by: webhook, message: said }];
  const failed = now.failedOpen.map(
    (by): OutcomeChange => ({ change: 'error', by, message: 'cannot be called, and its failurePolicy lets the call through' }),
  );
  if (failed.length > 0) return failed;
  if (!now.allowed && now.isCallFailure) return [{ change: 'error', by: now.refusedBy, message: `${message} (before: ${said})` }];
  if (called.length > 1)
    return { unknown: 'several webhooks are called for the review, and the recording does not show which of them has answered it' };
  const [actual] = called.flatMap(answeredReview);
  const otherRefusal: OutcomeChange = { change: 'other-refusal', by: now.refusedBy, message: `${message} (before: ${said})` };
  if (actual === undefined && !now.allowed) return [otherRefusal];
  if (actual === undefined) return withoutAnswer(document.has('warnings'), server, before, webhook);
  const paths = recordedDifferences(server, before, actual).map(({ path }) => path.replace(/\[\d+\]/g, '[*]'));
  if (!now.allowed) return paths.length === 0 ? [] : [otherRefusal];
  return groupedPaths(paths, webhook);
};

/** No webhook is called any longer. */
function withoutAnswer(
  hadWarnings: boolean,
  server: Parameters<typeof recordedAnswerDocument>[0],
  before: Parameters<typeof recordedAnswerDocument>[1],
  by: string,
): readonly OutcomeChange[] {
  const asked = jsonWithoutSecretsOf(before.review);
  const answer = { apiVersion: stringAt(asked, 'apiVersion'), kind: 'AdmissionReview' };
  const body = JSON.stringify({ ...answer, response: { allowed: true, uid: stringAt(asked, 'request', 'uid') } });
  const allowing = { ...before, response: { ...before.response, body: Buffer.from(body) } };
  const isPatched = recordedDifferences(server, before, allowing).some(({ path }) => /^(?:object|patch)\b/.test(path));
  return [
    ...(isPatched ? [{ change: 'other-patch', by, message: 'no longer patches the object' } as const] : []),
    ...(hadWarnings ? [{ change: 'other-warnings', by, message: 'no longer warns' } as const] : []),
  ];
}

function groupedPaths(paths: readonly string[], by: string): readonly OutcomeChange[] {
  const ofObject = named(paths.filter(path => /^(?:object|patch)/.test(path)));
  const ofWarnings = paths.some(path => path.startsWith('warnings'));
  const others = named(paths.filter(path => !/^(?:object|patch|warnings)/.test(path)));
  return [
    ...(ofObject === '' ? [] : [{ change: 'other-patch', by, message: `leads to another ${ofObject}` } as const]),
    ...(ofWarnings ? [{ change: 'other-warnings', by, message: 'warns differently' } as const] : []),
    ...(others === '' ? [] : [{ change: 'other-answer', by, message: `answers differently: ${others}` } as const]),
  ];
}

function named(paths: readonly string[]): string {
  const distinct = [...new Set(paths)].sort();
  return distinct.length <= maxPaths
    ? distinct.join(', ')
    : `${distinct.slice(0, maxPaths).join(', ')} and ${distinct.length - maxPaths} more`;
}
