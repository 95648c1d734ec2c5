import { handleCall } from '../apiserver/handle-call.js';
import type { Report } from '../apiserver/report/report.js';
import { listAt, stringAt, type Value } from '../go/value.js';
import type { Effects } from '../kubernetes/effects.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import type { CaseEffects } from './case-effects.js';
import type { CaseFile } from './case-file.js';
import { hasExpressions, makeExpressionLine } from './expression-line.js';
import { recordedCase } from './recorded-case.js';
import { lintLine, matchLine, requestLine } from './request-line.js';

/** Commands whose cases send nothing. */
export type CaseCommand = 'request' | 'match' | 'lint';

const lineOf = { request: requestLine, match: matchLine, lint: lintLine } satisfies Record<CaseCommand, unknown>;

/** Yields one document per case, as soon as it is known; `{name, error}` for a case that cannot be handled. */
export async function* makeCaseLines(command: CaseCommand, file: CaseFile, effects: CaseEffects): AsyncGenerator<object> {
  for (const entry of listAt(file.document, 'cases')) yield await makeCaseLine(command, entry, { file, effects });
}

interface CaseContext {
  readonly file: CaseFile;
  readonly effects: CaseEffects;
}

async function makeCaseLine(command: CaseCommand, entry: Value, { file, effects }: CaseContext): Promise<object> {
  try {
    if (command === 'match' && hasExpressions(entry)) return await makeExpressionLine(entry, file, effects);
    const recorded = recordedCase(entry, file, uidsOf(effects));
    return await lineOf[command](recorded, effects);
  } catch (error) {
    return failedCase(entry, error);
  }
}

/** Result of a case whose webhooks were called. */
export type ReviewedCase = { readonly name: string } & ({ readonly report: Report } | { readonly error: string });

/** Cases that wait for webhooks run concurrently. */
const maxConcurrentReviews = 32;

export interface ReviewContext {
  readonly callWebhook: CallWebhook;
  readonly effects: CaseEffects;
  /** Resolves when the next case may start. */
  readonly turn: () => Promise<void>;
}

/** Runs cases and calls their webhooks at the configured addresses; reports each case as soon as it is done. */
export async function reviewCases(
  file: CaseFile,
  { callWebhook, effects, turn }: ReviewContext,
  onCase: (reviewed: ReviewedCase) => void,
): Promise<void> {
  const cases = listAt(file.document, 'cases');
  await rehearse(cases[0], file, effects);
  const waiting = cases.values();
  const work = async (): Promise<void> => {
    for (const entry of waiting) {
      await turn();
      onCase(await reviewCase(entry, file, effects(callWebhook)));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentReviews }, work));
}

/** Runs a case without its webhooks: a running API server has loaded and compiled its code before the deadlines of a call start. */
async function rehearse(entry: Value | undefined, file: CaseFile, effects: CaseEffects): Promise<void> {
  if (entry !== undefined) await reviewCase(entry, file, effects(noWebhook));
}

async function reviewCase(entry: Value, file: CaseFile, effects: Effects): Promise<ReviewedCase> {
  try {
    const { name, call, state } = recordedCase(entry, file, effects.uid);
    return { name, report: await handleCall(call, state, effects) };
  } catch (error) {
    return failedCase(entry, error);
  }
}

function failedCase(entry: Value, error: unknown): { readonly name: string; readonly error: string } {
  return { name: stringAt(entry, 'name'), error: error instanceof Error ? error.message : String(error) };
}

function uidsOf(effects: CaseEffects): Effects['uid'] {
  return effects(noWebhook).uid;
}

const noWebhook: CallWebhook = () => Promise.reject(new Error('no webhook is called'));
