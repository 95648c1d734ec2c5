import { CliError, type Location, printLocation } from '../client/cli-error.js';
import type { FileEntries, InputFile, LocatedManifest } from '../client/manifests/manifests.js';
import { lastAtMost, placesIn } from '../encoding/line-places.js';
import { manifestText } from '../encoding/manifest-text.js';
import { writeValue } from '../go/json/write.js';
import { mapAt, stringAt } from '../go/value.js';
import { fileLayer, type Layer } from './layer.js';
import { base64Layers, withoutLinePrefixes, withoutQuotedPrintable } from './mail-text.js';
import { type Capture, capturesInText, type Effort } from './scan.js';
import { capturesInYaml } from './yaml-blocks.js';

/**
 * Finds the captured reviews and audit events in a text of any form: logs, mails, source code. Each one is found once, in the order of the file;
 * reviews that cannot be read are errors among them.
 */
export function capturesIn({ source, bytes }: InputFile): FileEntries {
  const text = manifestText(bytes);
  const layer = withoutLinePrefixes(withoutQuotedPrintable(fileLayer(text)));
  const effort: Effort = { left: 8 * text.length + 100_000 };
  const captures = [layer, ...base64Layers(layer)].flatMap(one => [...capturesInText(one, effort), ...capturesInYaml(one, effort)]);
  captures.sort((a, b) => a.start - b.start);
  const placeOf = placesIn(text);
  const locationAt = (offset: number): Location => ({ file: source, ...placeOf(offset) });
  const unreadable = unreadableReviews(layer, captures);
  // Webhooks log their answers too.
  const sent = distinct(captures.filter(({ object }) => stringAt(object, 'kind') === 'Event' || mapAt(object, 'request') !== undefined));
  const used = sent.length + unreadable.length === 0 ? captures.slice(0, maxAnswers) : sent;
  const found = [
    ...used.map(capture => ({ at: capture.start, entry: manifestOf(capture, source, locationAt) })),
    ...unreadable.map(({ at, message, suggestions }) => ({
      at,
      entry: new CliError('invalid-manifest', message, { location: locationAt(at), suggestions }),
    })),
  ];
  return {
    source,
    entries: found.sort((a, b) => a.at - b.at).map(({ entry }) => entry),
    warnings: [
      ...used.filter(({ isRequest }) => isRequest).map(({ start }) => `${printLocation(locationAt(start))}: ${requestAlone}`),
      ...(effort.endedAt === undefined ? [] : [`${printLocation(locationAt(effort.endedAt))}: ${searchEnded}`]),
    ],
  };
}

const searchEnded = 'stopped searching for reviews here: too much of the text begins like one; pass the rest in another file';

/** Answers of a webhook are errors: a log of nothing else has many. */
const maxAnswers = 100;

const requestAlone = 'only the request of a review, without its version; admission.k8s.io/v1 is assumed';

/** A webhook may log a review more than once. */
function distinct(captures: readonly Capture[]): Capture[] {
  const byJson = new Map<string, Capture>();
  for (const capture of captures) {
    const json = writeValue(capture.object, 'sorted');
    if (!byJson.has(json)) byJson.set(json, capture);
  }
  return [...byJson.values()];
}

function manifestOf({ object, start, offsetOf }: Capture, source: string, locationAt: (offset: number) => Location): LocatedManifest {
  return { object, source, location: locationAt(start), locate: pointer => locationAt(offsetOf(pointer)) };
}

/** A review that is in a text, but cannot be read. */
interface UnreadableReview {
  readonly at: number;
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** A review that Go prints with `%v` or `%+v`, or by its String method. */
const goStruct =
  /AdmissionReview\{TypeMeta:|AdmissionRequest\{UID:[0-9a-f]{8}-|\{\{AdmissionReview admission\.k8s\.io\/v1|\{Kind:AdmissionReview APIVersion:/g;

/** The kind of a review in JSON, possibly escaped. */
const kindMember = /["']kind\\*["']\s*:\s*\\*["']AdmissionReview\\*["']/g;

/** More of them say nothing new. */
const maxUnreadable = 100;

/**
 * Returns the reviews of a text that are not among its captures, which are in the order of the text: cut off, built by code, or printed by Go.
 * At most 100 of each form.
 */
function unreadableReviews(layer: Layer, captures: readonly Capture[]): UnreadableReview[] {
  const starts = captures.map(({ start }) => start);
  const isRead = (at: number): boolean => {
    const nearest = starts.length === 0 ? undefined : captures[lastAtMost(starts, at)];
    return nearest !== undefined && nearest.start <= at && at <= nearest.last;
  };
  const places = (marker: RegExp): number[] => {
    const found: number[] = [];
    for (const { index } of layer.text.matchAll(marker)) {
      const at = layer.originOf(startOfEscape(layer.text, index));
      if (!isRead(at)) found.push(at);
      if (found.length === maxUnreadable) break;
    }
    return found;
  };
  return [
    ...places(goStruct).map(at => ({
      at,
      message: 'an AdmissionReview printed as a Go struct cannot be read back',
      suggestions: ['log the body of the request instead', 'record the reviews with webhook-cli proxy'],
    })),
    ...places(kindMember).map(at => ({
      at,
      message: 'the AdmissionReview is not complete: it is cut off, or contains something other than JSON',
      suggestions: ['check the end of the review: logs cut long lines', 'record the reviews with webhook-cli proxy'],
    })),
  ];
}

/** Returns the offset of the backslashes before a quote. */
function startOfEscape(text: string, quote: number): number {
  let at = quote;
  while (text[at - 1] === '\\') at -= 1;
  return at;
}
