import type { AnswerPath } from '../../client/field-path.js';
import { writeValue } from '../../go/json/write.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { type HideKnown, knownSecrets } from '../../redaction/known-secrets.js';
import { markerText, redacted } from '../../redaction/marker.js';
import { withItems, withMembers, withTexts } from '../../redaction/replaced.js';
import { isAboutSecret, withPatch } from '../../redaction/review-secrets.js';
import { headerWithoutSecrets, jsonWithoutSecretsOf, patchWithoutSecrets, rewritten, withoutSecrets } from '../../redaction/secrets.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import type { RecordedHeaders, Recording } from '../recording.js';
import { replacedAt, replacedInOperation } from '../snapshots/redact.js';

/**
 * Returns a recording without secrets, each replaced by `<redacted sha256:...>`: the data of Secrets, tokens, members and variables with
 * telling names, credentials in headers, and the fields at `paths` of the reviewed objects (of the review where a path starts with
 * `request` or `response`). What was redacted in the request is redacted wherever else it occurs. A body that cannot be searched is
 * redacted as a whole; a body without secrets is unchanged, to the byte.
 */
export function redactRecording(recording: Recording, paths: readonly AnswerPath[]): Recording {
  const { request, answer } = recording;
  const asked = jsonWithoutSecretsOf(request.body);
  const cleanReview = asked === undefined ? undefined : cleanRequest(asked, paths);
  const headers = withoutSecretHeaders(request.headers);
  const hide = knownSecrets(
    [
      ...(asked === undefined || cleanReview === undefined ? [] : [[asked, cleanReview] as const]),
      ...request.headers.map(([, value], i) => [value, headers[i]?.[1] ?? ''] as const),
    ],
    asked,
  );
  const hidden = (fields: RecordedHeaders): RecordedHeaders => fields.map(([name, value]) => [name, hide(value)]);
  return {
    ...recording,
    request: {
      path: hide(textWithoutSecrets(request.path)),
      headers: hidden(headers),
      body:
        asked === undefined || cleanReview === undefined
          ? wholly(request.body)
          : readable(rewritten(request.body, asked, withTexts(cleanReview, hide))),
    },
    answer: {
      ...answer,
      headers: hidden(withoutSecretHeaders(answer.headers)),
      body: cleanAnswer(answer.body, { paths, hide, ofSecret: isAboutSecret(asked) }),
    },
  };
}

/** Go escapes the angle brackets of markers; unescaped they are easier to search for. */
function readable(json: string): string {
  return json.replace(escapedMarkers, '<$1>');
}

const escapedMarkers = new RegExp(`\\\\+u003c(${markerText})\\\\+u003e`, 'g');

function wholly(body: string): string {
  return body === '' ? '' : redacted(body);
}

function withoutSecretHeaders(headers: RecordedHeaders): RecordedHeaders {
  return headers.map(([name, value]) => [name, headerWithoutSecrets(name, value)]);
}

function cleanRequest(review: Value, paths: readonly AnswerPath[]): Value {
  const ofSecret = isAboutSecret(review);
  const ofObjects = paths.filter(path => !isOfReview(path));
  const objects = (request: Value): Value =>
    members(request, ['object', 'oldObject', 'objects'], object => {
      const clean = eachObject(object, one => atPaths(one, ofObjects));
      // Handwritten reviews may omit the kind of their object.
      return ofSecret ? members(clean, ['data', 'stringData'], withoutTexts) : clean;
    });
  return atPaths(withoutSecrets(members(review, ['request'], objects)), paths.filter(isOfReview));
}

interface AnswerCleaning {
  readonly paths: readonly AnswerPath[];
  readonly hide: HideKnown;
  readonly ofSecret: boolean;
}

function cleanAnswer(text: string, { paths, hide, ofSecret }: AnswerCleaning): string {
  const answer = jsonWithoutSecretsOf(text);
  if (answer === undefined) return ofSecret ? wholly(text) : hide(textWithoutSecrets(text));
  const ofObjects = paths.filter(path => !isOfReview(path));
  const patched = withPatch(withoutOpaquePatch(answer, { hide, ofSecret }), operations =>
    patchWithoutSecrets(operations, ofSecret).map(operation =>
      withTexts(
        ofObjects.reduce((value, path) => replacedInOperation(value, path, redactedValue), operation),
        hide,
      ),
    ),
  );
  const converted = members(patched, ['response'], response =>
    members(response, ['convertedObjects'], list => eachObject(list, object => atPaths(object, ofObjects))),
  );
  return readable(rewritten(text, answer, withTexts(atPaths(withoutSecrets(converted), paths.filter(isOfReview)), hide)));
}

/** A patch that is not JSON cannot be searched. */
function withoutOpaquePatch(answer: Value, { hide, ofSecret }: Omit<AnswerCleaning, 'paths'>): Value {
  return members(answer, ['response'], response =>
    members(response, ['patch'], patch => {
      if (typeof patch !== 'string') return patch;
      const text = Buffer.from(patch, 'base64').toString('utf8');
      return !isList(jsonWithoutSecretsOf(text)) && (ofSecret || hide(text) !== text) ? wholly(patch) : patch;
    }),
  );
}

function isOfReview([first]: AnswerPath): boolean {
  return first === 'request' || first === 'response';
}

function atPaths(value: Value, paths: readonly AnswerPath[]): Value {
  return paths.reduce((rest, path) => replacedAt(rest, path, redactedValue), value);
}

function redactedValue(value: Value): Value {
  return redacted(typeof value === 'string' ? value : writeValue(value, 'kept'));
}

function withoutTexts(value: Value): Value {
  return isMap(value) ? withMembers(value, member => (typeof member === 'string' ? redacted(member) : withoutTexts(member))) : value;
}

/** The objects of a conversion are a list. */
function eachObject(value: Value, replace: (object: Value) => Value): Value {
  return isList(value) ? withItems(value, replace) : replace(value);
}

function members(value: Value, names: readonly string[], replace: (member: Value) => Value): Value {
  return isMap(value) ? withMembers(value, (member, name) => (names.includes(name) ? replace(member) : member)) : value;
}
