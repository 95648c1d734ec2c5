import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { DecodeError } from './codec.js';

/** State of a typed reading: position in the document and errors so far. */
export interface Reading {
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
  firstFailure: Failure | undefined;
}

/** Go's decoding errors: a value of another type, or any other error with Go's message. */
export type Failure = TypeMismatch | { readonly message: string };

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
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(messageOf(failure));
    this.failure = failure;
  }
}

/** Returns a reading at the start of a text. */
export function newReading(server: ApiServer, text: string): Reading {
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
export function saveMismatch(reading: Reading, found: string, goType: string): void {
  reading.firstFailure ??= mismatchHere(reading, { found, goType, structName: '', fieldPath: [] });
}

/** Records any other error, if it is the first; reading continues. */
export function saveFailure(reading: Reading, message: string): void {
  reading.firstFailure ??= { message };
}

/** Aborts the reading: a leaf with its own decoder found a wrong type, or an inner reading had this failure. */
export function abortWith(reading: Reading, failure: Failure): never {
  throw new AbortedReading('message' in failure ? failure : mismatchHere(reading, failure));
}

/** Aborts the reading: a leaf's own value has the wrong type. */
export function abortMismatch(reading: Reading, found: string, goType: string): never {
  abortWith(reading, { found, goType, structName: '', fieldPath: [] });
}

/** Aborts the reading with another of Go's messages. */
export function abortMessage(message: string): never {
  throw new AbortedReading({ message });
}

/** Records an unknown or duplicate field, once, up to a hundred. Source: sigs.k8s.io/json kubernetes_patch.go. */
export function saveStrictError(reading: Reading, problem: 'unknown field' | 'duplicate field', name: string): void {
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
export function decodeErrorOf(failure: Failure): DecodeError {
  return new DecodeError(messageOf(failure));
}

const maximumStrictErrors = 100;

/**
 * Prepends the path of this reading to that of a nested reading, which the JSON reader of v1.34 does not do. Source:
 * decodeState.addErrorContext.
 */
function mismatchHere(reading: Reading, inner: TypeMismatch): TypeMismatch {
  if (reading.structName === '' && reading.fieldPath.length === 0) return inner;
  return {
    ...inner,
    structName: reading.structName,
    fieldPath: reading.server.since('v1.35') ? [...reading.fieldPath, ...inner.fieldPath] : [...reading.fieldPath],
  };
}

function messageOf(failure: Failure): string {
  if ('message' in failure) return failure.message;
  const { found, goType, structName, fieldPath } = failure;
  const path = fieldPath.join('.');
  if (structName === '' && path === '') return `json: cannot unmarshal ${found} into Go value of type ${goType}`;
  return `json: cannot unmarshal ${found} into Go struct field ${structName}.${path} of type ${goType}`;
}
