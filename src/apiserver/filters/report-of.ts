import { readUnstructured } from '../../encoding/unstructured.js';
import { sharedGetters } from '../../go/shared-getters.js';
import { isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Effects } from '../../kubernetes/effects.js';
import { previewNote } from '../../kubernetes/kubernetes-version.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { CallRecord } from '../admission/call-record.js';
import type { Answer, Decision, Report } from '../report/report.js';
import type { ProxyLocation, ShownToServing, WatchStream } from '../report/serving.js';
import { userInfoOf } from './user.js';

/** Answer to the client, and the content of its body where it is known without parsing. */
export interface AnsweredCall {
  readonly answer: Answer;
  /** True when the body is known to be an object and not a Status. */
  readonly isObject?: boolean;
  readonly object?: (() => ValueMap | undefined) | undefined;
  /** The body's document as JSON, in any encoding; undefined when the body itself is JSON or not a document. */
  readonly json?: () => string;
  readonly shown?: (() => ShownToServing) | undefined;
  readonly stream?: WatchStream | undefined;
  readonly proxiedTo?: ProxyLocation | undefined;
}

/** Returns the report of an answered call. */
export function reportOf(server: ApiServer, call: ApiCall, answered: AnsweredCall, record: CallRecord): Report {
  const preview = previewNote(server.minor);
  return {
    kubernetesVersion: server.minor,
    call: { method: call.method, path: call.path, user: { username: userInfoOf(call.user).username } },
    webhooks: record.webhooks,
    ...(record.policies.length === 0 ? {} : { policies: record.policies }),
    answer: answered.answer,
    decision: decisionOf(answered, record),
    notes: preview === undefined ? record.notes : [preview, ...record.notes],
    sideWrites: record.sideWrites,
  };
}

/** Adds the measured steps of the call, if they are asked for. */
export function timedReport(report: Report, { steps }: Pick<Effects, 'steps'>): Report {
  return steps === undefined ? report : { ...report, timing: steps.takeSteps() };
}

/** Returns the decision; the body is parsed lazily, because many commands only show the webhook calls. */
function decisionOf({ answer, isObject, object, json }: AnsweredCall, record: CallRecord): Decision {
  const document = lazy(() => {
    const read = object?.() ?? valueIn(json === undefined ? answer.body : `${json()}\n`);
    return isObject ? { status: undefined, object: isMap(read) ? read : undefined } : documentOf(read);
  });
  const decided = {
    // 101: the connection becomes the requested stream.
    allowed: answer.status === 101 || (answer.status >= 200 && answer.status < 400),
    code: answer.status,
    warnings: answer.warnings,
    auditAnnotations: Object.fromEntries(record.auditAnnotations),
    decidedBy: record.decidedBy,
  };
  return withDocument(decided, { status: () => (isObject ? undefined : document().status), object: () => document().object });
}

const withDocument = sharedGetters<Pick<Decision, 'status' | 'object'>>('status', 'object');

function valueIn(body: string): Value | undefined {
  // A watch is a stream of one document a line.
  const isDocument = body.startsWith('{') && body.indexOf('\n') >= body.length - 1;
  return isDocument ? readUnstructured(body) : undefined;
}

/** Returns the Status or the object in a body; neither for other content. */
function documentOf(read: Value | undefined): Pick<Decision, 'status' | 'object'> {
  if (!isMap(read)) return { status: undefined, object: undefined };
  // The timeout filter's Status has neither kind nor apiVersion.
  const isStatus = read.get('kind') === 'Status' || read.get('status') === 'Failure';
  return isStatus ? { status: read, object: undefined } : { status: undefined, object: read };
}
