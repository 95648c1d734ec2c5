import { readUnstructured } from '../encoding/unstructured.js';
import { isMap, type Value, type ValueMap } from '../go/value.js';
import type { ApiCall } from '../kubernetes/api-call.js';
import { whenAsked } from '../kubernetes/remembered.js';
import type { CallRecord } from './admission/call-record.js';
import { userInfoOf } from './filters/user.js';
import type { Answer, Decision, Report } from './report.js';

/** What the client gets, and what its body holds where that is known without reading it; undefined where it is not. */
export interface Answered {
  readonly answer: Answer;
  /** The body is an object and no Status, as is known without reading it. */
  readonly isObject?: boolean;
  readonly object?: (() => ValueMap | undefined) | undefined;
  /** The body's document as JSON, however it is written; undefined where the body itself is JSON or no document. */
  readonly json?: () => string;
}

/** What is known about a call that was answered, with what it left behind. */
export function reportOf(call: ApiCall, answered: Answered, record: CallRecord): Report {
  return {
    kubernetesVersion: 'v1.36',
    call: { method: call.method, path: call.path, user: { username: userInfoOf(call.user).username } },
    webhooks: record.webhooks,
    answer: answered.answer,
    decision: decisionOf(answered, record),
    notes: record.notes,
    sideWrites: record.sideWrites,
  };
}

/** What the body holds is found out only when somebody asks: many commands show what webhooks were sent, and nothing else. */
function decisionOf({ answer, isObject, object, json }: Answered, record: CallRecord): Decision {
  const document = whenAsked(() => {
    const read = object?.() ?? valueIn(json === undefined ? answer.body : `${json()}\n`);
    return isObject ? { status: undefined, object: isMap(read) ? read : undefined } : documentOf(read);
  });
  return {
    // 101: the connection becomes the stream that was asked for.
    allowed: answer.status === 101 || (answer.status >= 200 && answer.status < 400),
    code: answer.status,
    get status() {
      return isObject ? undefined : document().status;
    },
    warnings: answer.warnings,
    auditAnnotations: Object.fromEntries(record.auditAnnotations),
    get object() {
      return document().object;
    },
    decidedBy: record.decidedBy,
  };
}

function valueIn(body: string): Value | undefined {
  // A watch is a stream: a document a line.
  const isDocument = body.startsWith('{') && body.indexOf('\n') >= body.length - 1;
  return isDocument ? readUnstructured(body) : undefined;
}

/** The Status or the object that a body is; neither, where it is something else. */
function documentOf(read: Value | undefined): Pick<Decision, 'status' | 'object'> {
  if (!isMap(read)) return { status: undefined, object: undefined };
  // The timeout filter's Status says neither its kind nor its version.
  const isStatus = read.get('kind') === 'Status' || read.get('status') === 'Failure';
  return isStatus ? { status: read, object: undefined } : { status: undefined, object: read };
}
