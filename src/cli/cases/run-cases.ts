import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { keepRawTexts } from '../../apiserver/objects/raw-texts.js';
import { unstructuredOf } from '../../encoding/unstructured.js';
import { readJson } from '../../go/json/reader.js';
import { decodeGoUtf8 } from '../../go/utf8.js';
import { isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { serverOf } from '../../kubernetes/api-call.js';
import { asServer } from '../../kubernetes/as-server.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { CliError } from '../cli-error.js';
import { expressionLine, hasExpressions } from './expression-line.js';
import { type CaseFile, recordedCase } from './recorded-case.js';
import { lintLine, matchLine, requestLine } from './request-line.js';
import { reviewLine } from './review-line.js';
import { restoreSurrogates } from './surrogate-bodies.js';

export type CaseCommand = 'request' | 'match' | 'lint';

const lineOf = { request: requestLine, match: matchLine, lint: lintLine } satisfies Record<CaseCommand, unknown>;

export interface CaseOutput {
  readonly write: (line: string) => void;
  /** The API server to behave like, instead of the recorded ones. */
  readonly minor?: KubernetesMinor | undefined;
}

/** Prints a line of JSON a case, each as soon as it is known; a case that cannot be handled gives `{name, error}`. */
export async function runCases(command: CaseCommand, file: string, { write, minor }: CaseOutput): Promise<void> {
  const cases = { ...readCaseFile(file), minor };
  for (const entry of listAt(cases.document, 'cases')) write(`${JSON.stringify(await caseLine(command, entry, cases))}\n`);
}

async function caseLine(command: CaseCommand, entry: Value, file: CaseFile): Promise<unknown> {
  try {
    if (command === 'match' && hasExpressions(entry)) return await expressionLine(entry, file);
    const recorded = recordedCase(entry, file);
    return await asServer(serverOf(recorded.state), () => lineOf[command](recorded));
  } catch (error) {
    return { name: stringAt(entry, 'name'), error: error instanceof Error ? error.message : String(error) };
  }
}

/** Cases that call webhooks wait for them: so many run at a time. */
const reviewsAtOnce = 32;

/** The same for `review`: webhooks are called where their configurations say. */
export async function runReviewCases(file: string, { write, minor }: CaseOutput): Promise<void> {
  const cases = { ...readCaseFile(file), minor };
  const { createTransport } = await import('../../transport/call-webhook.js');
  const transport = createTransport({});
  const waiting = listAt(cases.document, 'cases').values();
  const work = async (): Promise<void> => {
    for (const entry of waiting) write(`${await reviewCaseLine(entry, cases, transport.callWebhook)}\n`);
  };
  await Promise.all(Array.from({ length: reviewsAtOnce }, work));
  await transport.close();
}

async function reviewCaseLine(entry: Value, file: CaseFile, callWebhook: CallWebhook): Promise<string> {
  try {
    return await reviewLine(recordedCase(entry, file), callWebhook);
  } catch (error) {
    return JSON.stringify({ name: stringAt(entry, 'name'), error: error instanceof Error ? error.message : String(error) });
  }
}

/** Reads a file of cases and the definitions beside it. */
export function readCaseFile(file: string): CaseFile {
  const document = readJsonFile(file);
  const beside = path.join(path.dirname(file), 'crds.json');
  return { document, definitions: existsSync(beside) ? readJsonFile(beside) : undefined };
}

function readJsonFile(file: string): ValueMap {
  try {
    const text = decodeGoUtf8(readFileSync(file));
    const node = readJson(text);
    const value = unstructuredOf(node);
    if (!isMap(value)) throw new Error('it is no JSON object');
    keepRawTexts(value, node, text);
    restoreSurrogates(value, text);
    return value;
  } catch (error) {
    throw new CliError('unreadable-file', `cannot read the cases of ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
