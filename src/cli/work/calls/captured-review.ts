import { type CapturedReview, callOfReview } from '../../../apiserver/replay-review.js';
import type { CallStep } from '../../../client/calls/call-step.js';
import { CliError, type Location } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { writeValue } from '../../../go/json/write.js';
import { isMap, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { jsonWithoutSecretsOf } from '../../../redaction/secrets.js';
import { isRecording, type Recording, readRecording } from '../../../suites/recording.js';
import { withoutMarkersInData } from '../../../suites/recordings/replayable.js';

/** Reports whether this object is a captured review or a recording, for which no API call is made. */
export function isCaptured(object: ValueMap): boolean {
  return stringAt(object, 'kind') === 'AdmissionReview' || isRecording(object);
}

/** Returns the review in a manifest: an AdmissionReview, or the request of a recording. Throws CliError. */
export function capturedReviewIn({ object, locate }: LocatedManifest, keepsUid: boolean): CapturedReview {
  const unusable = unusableAt(locate);
  if (!isRecording(object)) return captured(object, `${writeValue(object, 'kept')}\n`, { path: undefined, keepsUid, unusable });
  const recording = readRecording(object);
  if ('error' in recording) throw unusable(recording.error, recording.pointer);
  return capturedReviewOf(recording, { keepsUid, unusable });
}

/** Returns the review of a recording. Throws CliError. */
export function capturedReviewOf(
  recording: Recording,
  { keepsUid, unusable = unusableAt(() => undefined) }: { readonly keepsUid: boolean; readonly unusable?: Reading['unusable'] },
): CapturedReview {
  const review = jsonWithoutSecretsOf(recording.request.body);
  if (!isMap(review)) throw unusable('request.body of the recording is not JSON', '/request/body');
  const usable = withoutMarkersInData(review);
  const body = usable === review ? recording.request.body : `${writeValue(usable, 'kept')}\n`;
  return captured(usable, body, { path: recording.request.path, keepsUid, unusable });
}

function unusableAt(locate: (pointer: string) => Location | undefined): Reading['unusable'] {
  return (message, pointer = '', suggestions = []) => new CliError('invalid-manifest', message, { location: locate(pointer), suggestions });
}

interface Reading extends Pick<CapturedReview, 'path' | 'keepsUid'> {
  readonly unusable: (message: string, pointer?: string, suggestions?: readonly string[]) => CliError;
}

function captured(review: Value, body: string, { path, keepsUid, unusable }: Reading): CapturedReview {
  const kind = stringAt(review, 'kind');
  if (kind === 'ConversionReview') {
    throw unusable('a ConversionReview is not an admission review', '', ['pass recordings of conversions to webhook-cli test']);
  }
  const version = /^admission\.k8s\.io\/(v1|v1beta1)$/.exec(stringAt(review, 'apiVersion'))?.[1];
  if (kind !== 'AdmissionReview' || (version !== 'v1' && version !== 'v1beta1')) {
    const given = stringAt(review, 'apiVersion');
    const what =
      given === '' ? 'the AdmissionReview has no apiVersion' : `an API server sends no AdmissionReview of ${JSON.stringify(given)}`;
    throw unusable(what, '/apiVersion', ['write apiVersion as admission.k8s.io/v1 or admission.k8s.io/v1beta1']);
  }
  const request = mapAt(review, 'request');
  if (request === undefined) {
    const what = mapAt(review, 'response') === undefined ? 'no request' : 'a response but no request';
    throw unusable(`the AdmissionReview has ${what}`, '', ['pass a review as the API server sends it']);
  }
  return { body: withMissingUid(body, request, review), version, request: ensureUid(request), path, keepsUid };
}

/** Reviews written by hand may have no uid, which every API server sends. */
function ensureUid(request: ValueMap): ValueMap {
  return stringAt(request, 'uid') === '' ? new Map<string, Value>([['uid', missingUid], ...request]) : request;
}

const missingUid = '00000000-0000-0000-0000-000000000000';

function withMissingUid(body: string, request: ValueMap, review: Value): string {
  if (stringAt(request, 'uid') !== '' || !isMap(review)) return body;
  return `${writeValue(new Map([...review, ['request', ensureUid(request)]]), 'kept')}\n`;
}

/** Returns the step that sends a captured review. */
export function capturedStep(manifest: LocatedManifest, keepsUid: boolean): CallStep {
  return {
    plan: state => {
      const review = capturedReviewIn(manifest, keepsUid);
      return { captured: review, call: callOfReview(state.server, review), command: undefined };
    },
  };
}

/** Returns the step without captured reviews: CliError, for commands that make calls of their own. */
export function withoutCaptured(step: CallStep): CallStep {
  return {
    plan: async state => {
      const planned = await step.plan(state);
      if ('skipped' in planned || planned.captured === undefined) return planned;
      throw new CliError('usage', 'cannot make an API call with a captured AdmissionReview', {
        suggestions: ['send it with webhook-cli review', 'compare it with webhook-cli request --from-review'],
      });
    },
  };
}
