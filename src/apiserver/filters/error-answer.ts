import { statusValue, writeStatus } from '../../encoding/status-json.js';
import { wellFormed } from '../../go/utf8.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { lazy } from '../../kubernetes/memoize.js';
import { AbortedConnection, PlainError, type Status, StatusError } from '../../kubernetes/status.js';
import { pageNotFound, unknownError } from '../../kubernetes/status-errors.js';
import { isTooDeep } from '../../kubernetes/too-deep.js';
import type { CallRecord } from '../admission/call-record.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { PageNotFound } from '../call/page-not-found.js';
import type { Negotiated } from '../endpoints/negotiation.js';
import { PlainTextError } from './plain-text-error.js';
import type { AnsweredCall } from './report-of.js';
import { sentWarnings } from './warnings.js';
import { lazyAnswer } from './write-answer.js';

/** Returns the answer for the error that ended a call. Source: apiserver responsewriters/status.go, errors.go. */
export function errorAnswer(server: ApiServer, error: unknown, form: Negotiated | undefined, record: CallRecord): AnsweredCall {
  const warnings = sentWarnings(record.warnings);
  if (error instanceof AbortedConnection) return { answer: { status: 0, warnings: [], headers: {}, body: '' } };
  if (error instanceof PlainTextError) return plainAnswer(error.code, error.body, warnings);
  if (error instanceof PageNotFound) {
    if (!server.since('v1.38')) return plainAnswer(404, '404 page not found\n', warnings);
    return statusAnswer(pageNotFound().status, warnings, form);
  }
  if (error instanceof StatusError) return statusAnswer(asWritten(server, error.status), warnings, form);
  if (error instanceof PlainError) return statusAnswer(unknownError(error.message).status, warnings, form);
  if (isTooDeep(error)) throw new NotReproduced('an object or schema in this call is nested too deeply');
  throw error;
}

/** Up to v1.37 bytes of a message that are not UTF-8 become escapes, `\ufffd`, with the JSON encoder of Go 1.27 the character itself. */
function asWritten(server: ApiServer, status: Status): Status {
  return status.message !== undefined && server.since('v1.38') ? { ...status, message: wellFormed(status.message) } : status;
}

function plainAnswer(status: number, body: string, warnings: readonly string[]): AnsweredCall {
  return { answer: { status, warnings, headers: {}, contentType: 'text/plain; charset=utf-8', body } };
}

/** Returns the answer with a Status. */
export function statusAnswer(status: Status, warnings: readonly string[], form: Negotiated | undefined): AnsweredCall {
  const code = status.code ?? 500;
  // Go's HTTP server panics on a status it cannot write.
  if (code > 999) return { answer: { status: 0, warnings: [], headers: {}, body: '' } };
  const seconds = status.details?.retryAfterSeconds ?? 0;
  const headers: Record<string, string> = seconds > 0 ? { 'Retry-After': String(seconds) } : {};
  const shown = { ...status, code };
  const json = lazy(() => writeStatus(shown));
  return { answer: lazyAnswer({ status: code, warnings, headers }, json, form), object: () => statusValue(shown), json };
}
