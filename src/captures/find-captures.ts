import { CliError, type Location, printLocation } from '../client/cli-error.js';
import type { FileEntries, InputFile, LocatedManifest } from '../client/manifests/manifests.js';
import { placesIn } from '../encoding/line-places.js';
import { manifestText } from '../encoding/manifest-text.js';
import { writeValue } from '../go/json/write.js';
import { mapAt, stringAt } from '../go/value.js';
import { fileLayer } from './layer.js';
import { base64Layers, withoutLinePrefixes, withoutQuotedPrintable } from './mail-text.js';
import { type Capture, capturesInText, type Effort } from './scan.js';
import { unreadableReviews } from './unreadable-reviews.js';
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
