import type { ApiServer } from '../../kubernetes/api-server.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { SuitePlace } from '../place.js';
import type { RecordedHeaders, Recording } from '../recording.js';
import type { CaseOutput, TestFailure } from '../results.js';
import { shownJson } from '../shown-json.js';
import type { AnsweredReview } from './answer-document.js';
import { recordedDifferences } from './compare-answers.js';

/** Returns a failure for each field in which a response differs from the recorded one. */
export function recordingFailures(
  server: ApiServer,
  recording: Recording,
  { calls, conversion }: CaseOutput,
  place: SuitePlace,
): TestFailure[] {
  const recorded: AnsweredReview = { review: recording.request.body, response: recordedResponse(recording) };
  const exchanges = conversion?.exchanges ?? calls.flatMap(call => call.exchanges);
  return exchanges.flatMap(answeredReview).flatMap(actual =>
    recordedDifferences(server, recorded, actual).map(({ path, expected, actual: now }) => ({
      check: 'recording',
      message: `${path} differs from the recording: ${shownJson(now, expected)} instead of ${shownJson(expected, now)}`,
      place,
    })),
  );
}

/** Returns the response of an exchange and its review; undefined if no response was received. */
export function answeredReview({ call, answer }: WebhookExchange): AnsweredReview[] {
  if (answer.outcome !== 'answered') return [];
  return [{ review: call.body, response: { status: answer.statusCode, headers: answer.headers, body: answer.body } }];
}

/** Returns the recorded answer as a response of a webhook. */
export function recordedResponse({ answer }: Recording): AnsweredReview['response'] {
  return { status: answer.status, headers: lowerCase(answer.headers), body: Buffer.from(answer.body) };
}

function lowerCase(headers: RecordedHeaders): RecordedHeaders {
  return headers.map(([name, value]) => [name.toLowerCase(), value]);
}
