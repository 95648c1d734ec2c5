import type { ReviewResponse } from '../../../apiserver/webhooks/read-review.js';
import { capturesIn } from '../../../captures/find-captures.js';
import { CliError } from '../../../client/cli-error.js';
import { entriesIn, type LocatedManifest } from '../../../client/manifests/manifests.js';
import { writeValue } from '../../../go/json/write.js';
import { isMap, mapAt, stringAt, type Value } from '../../../go/value.js';
import { jsonWithoutSecretsOf } from '../../../redaction/secrets.js';
import { type EventPlace, eventsInLine } from '../../../replay/logged-event.js';
import { type LoggedReview, loggedReview } from '../../../replay/logged-review.js';
import { isRecording, readRecording } from '../../../suites/recording.js';
import { recordedResponse } from '../../../suites/recordings/recording-failures.js';
import { capturedReviewIn } from '../../work/calls/captured-review.js';
import { isYamlDocument } from './json-documents.js';

/** What a document of the input contains besides audit events. */
export interface Reviews {
  readonly reviews: readonly LoggedReview[];
  /** Why some cannot be read. */
  readonly broken: readonly string[];
  /** Number of objects that are not AdmissionReviews. */
  readonly foreign: number;
}

/**
 * Reads the recordings and captured reviews of a document, which is recognized by its content: a recording or review in YAML or JSON, or a line of a
 * webhook's log. Undefined for a document that belongs to an audit log.
 */
export function reviewsIn(text: string, place: EventPlace): Reviews | undefined {
  const isYaml = isYamlDocument(text);
  if (!isYaml && (text.includes('audit.k8s.io/') || !mentionsReview.test(text))) return undefined;
  // Rows of cloud providers have events under other names.
  if (!isYaml && eventsInLine(text, place).outcome === 'events') return undefined;
  const file = { source: place.source, bytes: Buffer.from(text) };
  const { entries } = isYaml || isRecordingText.test(text) ? entriesIn(file) : capturesIn(file);
  const read = entries.map(entry => (entry instanceof CliError ? unreadable : reviewOf(entry, place)));
  return read.length === 0 && !isYaml
    ? undefined
    : {
        reviews: read.filter(one => typeof one === 'object'),
        broken: read.filter(one => typeof one === 'string' && one !== foreign).map(String),
        foreign: read.filter(one => one === foreign).length,
      };
}

const mentionsReview = /AdmissionReview|userInfo/;
const isRecordingText = /^\s*\{[\s\S]*"kind"\s*:\s*"Recording"/;

const unreadable = 'a review that is cut off or invalid';
const foreign = 'no review of admission';

/** Returns the review in an object; why there is none. */
function reviewOf(manifest: LocatedManifest, place: EventPlace): LoggedReview | string {
  const { object } = manifest;
  const recording = isRecording(object) ? readRecording(object) : undefined;
  if (recording !== undefined && 'error' in recording) return recording.error;
  const kind = stringAt(recording === undefined ? object : jsonWithoutSecretsOf(recording.request.body), 'kind');
  if (kind === 'ConversionReview' || (recording === undefined && kind !== 'AdmissionReview')) return foreign;
  try {
    const captured = capturedReviewIn(manifest, false);
    const recorded = recording === undefined ? responseIn(object) : recordedResponse(recording);
    return loggedReview(captured, recorded, { place, at: recording?.at ?? '' });
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** The answer in a review that was captured with it. */
function responseIn(review: Value): ReviewResponse | undefined {
  const response = mapAt(review, 'response');
  if (response === undefined || !isMap(review)) return undefined;
  const answer = new Map([...review].filter(([key]) => key !== 'request'));
  return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(writeValue(answer, 'kept')) };
}
