import { quoteMeta } from '../../go/quote-meta.js';
import type { Value } from '../../go/value.js';
import { stringAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { marker } from '../../redaction/marker.js';
import { jsonWithoutSecretsOf } from '../../redaction/secrets.js';
import { allDifferences, type SnapshotDifference, type Tolerance } from '../snapshots/first-difference.js';
import { type AnsweredReview, recordedAnswerDocument } from './answer-document.js';

/** Returns the fields in which two responses to the same review differ; the uids of the reviews may differ. */
export function recordedDifferences(server: ApiServer, expected: AnsweredReview, actual: AnsweredReview): SnapshotDifference[] {
  const uids = [expected, actual].map(({ review }) => stringAt(jsonWithoutSecretsOf(review), 'request', 'uid')).filter(uid => uid !== '');
  const masked = (text: string): string => uids.reduce((rest, uid) => rest.replaceAll(uid, '<uid>'), text);
  const [one, other] = [recordedAnswerDocument(server, expected), recordedAnswerDocument(server, actual)];
  const differences = allDifferences(one, other, tolerance(masked));
  // The object of a call that only one allows says nothing.
  return one.get('allowed') === other.get('allowed') ? differences : differences.filter(({ path }) => !/^object\b/.test(path));
}

/** Texts are equal apart from the uid of the review; a redacted value equals anything. */
function tolerance(masked: (text: string) => string): Tolerance {
  return (expected: Value, actual: Value) => {
    if (typeof expected !== 'string' || typeof actual !== 'string') return false;
    const [left, right] = [masked(expected), masked(actual)];
    return left === right || (marker.test(left) && patternOf(left).test(right)) || (marker.test(right) && patternOf(right).test(left));
  };
}

function patternOf(text: string): RegExp {
  const parts = text.split(marker).map(quoteMeta);
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`);
}
