import { allowingAnswer } from '../../src/client/allowing-webhook.js';
import { CliError } from '../../src/client/cli-error.js';
import { readManifests } from '../../src/encoding/yaml-stream.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';

/** Answer of a webhook, as it is typed in. Without one, a webhook allows. */
interface TypedAnswer {
  readonly allowed?: boolean;
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  /** Operations of a JSON patch. */
  readonly patch?: readonly unknown[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The body as it is, instead of a review. */
  readonly body?: string;
  /** HTTP status of the response; 200 by default. */
  readonly status?: number;
  /** The connection fails with this message of Go's HTTP client. */
  readonly error?: string;
}

/** Returns webhooks that answer as the text says: a YAML document with an answer for each webhook's name. Throws CliError. */
export function typedAnswers(text: string): CallWebhook {
  const answers = answersIn(text);
  return async call => {
    const answer = answers[call.webhook];
    return answer === undefined ? allowingAnswer(call) : answerOf(answer, call);
  };
}

function answersIn(text: string): Readonly<Record<string, TypedAnswer>> {
  const { documents, error } = readManifests(Buffer.from(text));
  const file = 'answers';
  if (error !== undefined) throw new CliError('invalid-syntax', error.message, { location: { file, ...error.position } });
  const read: unknown = JSON.parse(documents[0]?.json ?? '{}');
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Readonly<Record<string, TypedAnswer>>;
  throw new CliError('invalid-syntax', 'expected the name of a webhook, and its answer below it', { location: { file, line: 1 } });
}

function answerOf(typed: TypedAnswer, { apiVersion, uid }: WebhookCall): WebhookAnswer {
  const { allowed = true, message, code, reason, patch, warnings, auditAnnotations, body, status = 200, error } = typed ?? {};
  if (error !== undefined) return { outcome: 'failed', class: 'tcp', message: error, reason: error, durationMs: 0 };
  const said = message === undefined && code === undefined && reason === undefined ? {} : { status: { message, code, reason } };
  const patched = patch === undefined ? {} : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
  const response = { uid, allowed, ...said, ...patched, warnings, auditAnnotations };
  const text = body ?? JSON.stringify({ kind: 'AdmissionReview', apiVersion, response });
  const headers = [['content-type', 'application/json']] as const;
  return { outcome: 'answered', statusCode: status, headers, body: Buffer.from(text.replaceAll('{{uid}}', uid)), durationMs: 0 };
}
