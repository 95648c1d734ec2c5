import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { DecodeError } from './codec.js';

/** State of a typed reading: position in the document and errors so far. */
export interface TypedReading {
  readonly server: ApiServer;
  readonly text: string;
  /** Whether names match case-insensitively. They do in Go's encoding/json, but not in the API server's reader. */
  readonly foldsCase: boolean;
  /** Struct that Go names in errors; empty outside of structs. */
  structName: string;
  /** JSON names up to here, without indexes: the path in type errors. */
  readonly fieldPath: string[];
  /** Path with indexes and map keys, for strict errors. */
  readonly strictPath: (string | number)[];
  readonly strictErrors: string[];
  readonly unknownPaths: string[];
  readonly seenStrictErrors: Set<string>;
  /** First value of a wrong type; reading continues, since an aborting error takes precedence. */
  firstFailure: ReadingFailure | undefined;
}

/** Go's decoding errors: a value of another type, or any other error with Go's message. */
export type ReadingFailure = TypeMismatch | { readonly message: string };

interface TypeMismatch {
  /** As Go describes the value: `object`, `number 1.5`. */
  readonly found: string;
  readonly goType: string;
  readonly structName: string;
  readonly fieldPath: readonly string[];
}

/** Thrown when a leaf with its own decoder (a quantity, a time) fails; the rest is not read. */
export class AbortedReading extends Error {
  override readonly name = 'AbortedReading';
  readonly failure: ReadingFailure;

  constructor(failure: ReadingFailure) {
    super(messageOf(failure));
    this.failure = failure;
  }
}

/** Returns a reading at the start of a text. */
export function newReading(server: ApiServer, text: string): TypedReading {
  return {
    server,
    text,
    foldsCase: false,
    structName: '',
    fieldPath: [],
    strictPath: [],
    strictErrors: [],
    unknownPaths: [],
    seenStrictErrors: new Set(),
    firstFailure: undefined,
  };
}

/** Records a value of a wrong type, if it is the first; reading continues. Source: sigs.k8s.io/json decodeState.saveError. */
export function saveMismatch(reading: TypedReading, found: string, goType: string): void {
  reading.firstFailure ??= mismatchHere(reading, { found, goType, structName: '', fieldPath: [] });
}

/** Records any other error, if it is the first; reading continues. */
export function saveFailure(reading: TypedReading, message: string): void {
  reading.firstFailure ??= { message };
}

/** Aborts the reading: a leaf with its own decoder found a wrong type, or an inner reading had this failure. */
export function abortWith(reading: TypedReading, failure: ReadingFailure): never {
  throw new AbortedReading('message' in failure ? failure : mismatchHere(reading, failure));
}

/** Aborts the reading: a leaf's own value has the wrong type. */
export function abortMismatch(reading: TypedReading, found: string, goType: string): never {
  abortWith(reading, { found, goType, structName: '', fieldPath: [] });
}

/** Aborts the reading with another of Go's messages. */
export function abortMessage(message: string): never {
  throw new AbortedReading({ message });
}

/** Records an unknown or duplicate field, once, up to a hundred. Source: sigs.k8s.io/json kubernetes_patch.go. */
export function saveStrictError(reading: TypedReading, problem: 'unknown field' | 'duplicate field', name: string): void {
  if (reading.strictErrors.length >= maximumStrictErrors) return;
  const steps = [...reading.strictPath, name].map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`));
  const path = steps.join('');
  const error = `${problem} ${quote(path)}`;
  if (reading.seenStrictErrors.has(error)) return;
  reading.seenStrictErrors.add(error);
  reading.strictErrors.push(error);
  if (problem === 'unknown field') reading.unknownPaths.push(path);
}

/** Returns the error of a failed reading. */
export function decodeErrorOf(failure: ReadingFailure): DecodeError {
  return new DecodeError(messageOf(failure));
}

const maximumStrictErrors = 100;

/**
 * Prepends the path of this reading to that of a nested reading, which the JSON reader of v1.34 does not do. Source:
 * decodeState.addErrorContext.
 */
function mismatchHere(reading: TypedReading, inner: TypeMismatch): TypeMismatch {
  if (reading.structName === '' && reading.fieldPath.length === 0) return inner;
  return {
    ...inner,
    structName: reading.structName,
    fieldPath: reading.server.since('v1.35') ? [...reading.fieldPath, ...inner.fieldPath] : [...reading.fieldPath],
  };
}

function messageOf(failure: ReadingFailure): string {
  if ('message' in failure) return failure.message;
  const { found, goType, structName, fieldPath } = failure;
  const path = fieldPath.join('.');
  if (structName === '' && path === '') return `json: cannot unmarshal ${found} into Go value of type ${goType}`;
  return `json: cannot unmarshal ${found} into Go struct field ${structName}.${path} of type ${goType}`;
}
