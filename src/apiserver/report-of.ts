import { readUnstructured } from '../encoding/unstructured.js';
import type { ApiCall } from '../kubernetes/api-call.js';
import { whenAsked } from '../kubernetes/remembered.js';
import { isMap } from '../kubernetes/value.js';
import type { CallRecord } from './admission/call-record.js';
import type { Answer, Decision, Report } from './report.js';
import { userInfoOf } from './user.js';

/** What is known about a call that was answered, with what it left behind. */
export function reportOf(call: ApiCall, answer: Answer, record: CallRecord): Report {
  return {
    kubernetesVersion: 'v1.36',
    call: { method: call.method, path: call.path, user: { username: userInfoOf(call.user).username } },
    webhooks: record.webhooks,
    answer,
    decision: decisionOf(answer, record),
    notes: record.notes,
  };
}

/** The body is read only when somebody asks what it holds: many commands show what webhooks were sent, and nothing else. */
function decisionOf(answer: Answer, record: CallRecord): Decision {
  const document = whenAsked(() => documentIn(answer.body));
  return {
    // 101: the connection becomes the stream that was asked for.
    allowed: answer.status === 101 || (answer.status >= 200 && answer.status < 400),
    code: answer.status,
    get status() {
      return document().status;
    },
    warnings: answer.warnings,
    auditAnnotations: Object.fromEntries(record.auditAnnotations),
    get object() {
      return document().object;
    },
  };
}

/** The Status or the object that a body is; neither, where it is something else. */
function documentIn(body: string): Pick<Decision, 'status' | 'object'> {
  // A watch is a stream: a document a line.
  const isDocument = body.startsWith('{') && body.indexOf('\n') >= body.length - 1;
  const read = isDocument ? readUnstructured(body) : undefined;
  if (!isMap(read)) return { status: undefined, object: undefined };
  // The timeout filter's Status says neither its kind nor its version.
  const isStatus = read.get('kind') === 'Status' || read.get('status') === 'Failure';
  return isStatus ? { status: read, object: undefined } : { status: undefined, object: read };
}
