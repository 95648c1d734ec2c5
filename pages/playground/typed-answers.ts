import { CliError } from '../../src/client/cli-error.js';
import { allowingAnswer } from '../../src/client/run/allowing-webhook.js';
import { pointerTo } from '../../src/encoding/json-pointer.js';
import { readManifests } from '../../src/encoding/yaml-stream.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../src/kubernetes/webhook-call.js';
import { type AnswerExpression, answerExpression, ExpressionError, type ExpressionName, expressionNames } from './answer-expressions.js';
import type { Problem } from './model.js';

/** Answer of a webhook, as it is typed in. Without one, a webhook allows. */
interface TypedAnswer extends Partial<Record<ExpressionName, string>> {
  readonly allowed?: boolean;
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  /** Operations of a JSON patch, or their JSON. */
  readonly patch?: readonly unknown[] | string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The body as it is, instead of a review. */
  readonly body?: string;
  /** HTTP status of the response; 200 by default. */
  readonly status?: number;
  /** The connection fails with this message of Go's HTTP client. */
  readonly error?: string;
}

/** An answer with its expressions. */
interface Script {
  readonly answer: TypedAnswer;
  readonly expressions: Partial<Record<ExpressionName, AnswerExpression>>;
  /** Marks a member whose expression failed. */
  readonly mark: (error: ExpressionError) => void;
}

/**
 * Returns webhooks that answer as the text says: a YAML document with an answer for each webhook's name, or a list of answers, of which the
 * first counts whose `when` is true. Expressions that fail are problems, and the webhook answers with status 500 then. Throws CliError for text that is no such document.
 */
export function typedAnswers(text: string, server: ApiServer, problems: Problem[]): CallWebhook {
  const scripts = scriptsIn(text, server, problems);
  return async call => {
    for (const { answer, expressions, mark } of scripts.get(call.webhook) ?? []) {
      try {
        if (expressions.when === undefined || expressions.when(call.body) === 'true')
          return answerOf(evaluated(answer, expressions, call), call);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        mark(error);
        return answerOf({ status: 500, body: error.message }, call);
      }
    }
    return allowingAnswer(call);
  };
}

function scriptsIn(text: string, server: ApiServer, problems: Problem[]): ReadonlyMap<string, readonly Script[]> {
  const { documents, error } = readManifests(Buffer.from(text));
  const file = 'answers';
  if (error !== undefined) throw new CliError('invalid-syntax', error.message, { location: { file, ...error.position } });
  const [document] = documents;
  const read: unknown = JSON.parse(document?.json ?? '{}');
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new CliError('invalid-syntax', 'expected the name of a webhook, and its answer below it', { location: { file, line: 1 } });
  const scriptAt = (given: unknown, path: readonly (string | number)[]): Script => {
    const answer = (given ?? {}) as TypedAnswer;
    const mark = ({ member, message }: ExpressionError): void => {
      const line = document?.positionOf(pointerTo([...path, member])).line ?? 1;
      const isKnown = problems.some(known => known.line === line && known.message === message);
      if (!isKnown) problems.push({ editor: 'answers', severity: 'error', message, line });
    };
    return { answer, expressions: expressionsOf(answer, server, mark), mark };
  };
  return new Map(
    Object.entries(read).map(([webhook, given]: [string, unknown]) => [
      webhook,
      Array.isArray(given) ? given.map((answer, index) => scriptAt(answer, [webhook, index])) : [scriptAt(given, [webhook])],
    ]),
  );
}

function expressionsOf(answer: TypedAnswer, server: ApiServer, mark: Script['mark']): Script['expressions'] {
  const given = expressionNames.filter(name => answer[name] !== undefined);
  return Object.fromEntries(
    given.map(name => {
      try {
        return [name, answerExpression(server, name, answer[name])];
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        mark(error);
        const fail: AnswerExpression = () => {
          throw error;
        };
        return [name, fail];
      }
    }),
  );
}

function evaluated(answer: TypedAnswer, { messageExpression, patchExpression }: Script['expressions'], { body }: WebhookCall): TypedAnswer {
  return {
    ...answer,
    ...(messageExpression === undefined ? {} : { message: messageExpression(body) }),
    ...(patchExpression === undefined ? {} : { patch: patchExpression(body) }),
  };
}

function answerOf(typed: TypedAnswer, { apiVersion, uid }: WebhookCall): WebhookAnswer {
  const { allowed = true, message, code, reason, patch, warnings, auditAnnotations, body, status = 200, error } = typed;
  if (error !== undefined) return { outcome: 'failed', class: 'tcp', message: error, reason: error, durationMs: 0 };
  const said = message === undefined && code === undefined && reason === undefined ? {} : { status: { message, code, reason } };
  const patchJson = typeof patch === 'string' ? patch : JSON.stringify(patch);
  const patched = patch === undefined ? {} : { patchType: 'JSONPatch', patch: Buffer.from(patchJson).toString('base64') };
  const response = { uid, allowed, ...said, ...patched, warnings, auditAnnotations };
  const text = body ?? JSON.stringify({ kind: 'AdmissionReview', apiVersion, response });
  const headers = [['content-type', 'application/json']] as const;
  return { outcome: 'answered', statusCode: status, headers, body: Buffer.from(text.replaceAll('{{uid}}', uid)), durationMs: 0 };
}
