import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';

/** A cause of a refusal, or a warning. */
export interface DiagnosticCause {
  /** As the API server writes it: `spec.containers[0].image`; empty for the whole object. */
  readonly field: string;
  readonly text: string;
  /** `FieldValueRequired`, or the reason of the Status. */
  readonly reason: string;
  readonly unknownField?: string;
  /** The field was found in a message, which may leave out the indices of lists. */
  readonly isNamedInText?: true;
}

/** Returns the causes of a Status: those in its details, or its message. Unknown and duplicate fields are causes of their own. */
export function causesOf(status: ValueMap | undefined): DiagnosticCause[] {
  const message = stringAt(status, 'message');
  const reason = stringAt(status, 'reason');
  const causes = listAt(mapAt(status, 'details'), 'causes');
  const listed = causes.map((cause): DiagnosticCause => {
    const field = stringAt(cause, 'field');
    const text = stringAt(cause, 'message');
    return field === ''
      ? messageCause(text, stringAt(cause, 'reason') || reason)
      : { field, text: `${field}: ${text}`, reason: stringAt(cause, 'reason') };
  });
  if (listed.length > 0) return listed;
  const [, start = '', fields] = strictDecoding.exec(message) ?? [];
  if (fields === undefined) return message === '' ? [] : [messageCause(message, reason)];
  // The first one has the whole message.
  const parts = fields.split(/, (?=(?:unknown|duplicate) field ")/);
  return parts.map((part, index) =>
    index === 0 ? { ...messageCause(start + part, reason), text: message } : messageCause(start + part, reason),
  );
}

const strictDecoding = /^(.*strict decoding error: )((?:unknown|duplicate) field ".*)$/s;

/** Returns the cause of a message, with the field that it names. */
export function messageCause(text: string, reason: string): DiagnosticCause {
  const unknown = /unknown field "([^"]+)"/.exec(text)?.[1];
  return {
    field: unknown ?? fieldNamedIn(text),
    isNamedInText: true,
    text,
    reason,
    ...(unknown === undefined ? {} : { unknownField: unknown }),
  };
}

/** Returns the first path of fields in a message; empty if there is none. */
function fieldNamedIn(message: string): string {
  for (const pattern of fieldPatterns) {
    const found = pattern.exec(message)?.[1];
    if (found !== undefined) return found;
  }
  return '';
}

const path = String.raw`\.?[a-z]\w*(?:\[[^\]]*\]|\.\w+)+`;

const fieldPatterns = [
  /duplicate field "([^"]+)"/,
  // Errors of the JSON decoder: the name of the Go type, then the path without indices.
  /Go struct field \w+\.([\w.]+) of type/,
  new RegExp(String.raw`(?:^|[\s(])(${path}): `),
  new RegExp(String.raw`(?:^|[\s("'])(${path})(?=$|[\s,;:)"']|\.$)`),
];
