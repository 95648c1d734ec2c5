import { monotonicMs } from '../../../../transport/clock.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { sendAhead } from '../../../threads/send-ahead.js';
import { type CopiedResult, copiedResult } from '../copied-result.js';
import { repeatedPlanning } from '../planning.js';
import type { PreparedCalls } from '../prepared-calls.js';
import { renderedResults } from '../rendered-results.js';
import { type NumberedResults, recorded, type SharedCalls, type ThreadedCommand, takenCalls } from '../shared-calls.js';

/** More results are sent at once, or those of this time. */
const resultsAtOnce = 16;
const longestMs = 50;

/** Makes a thread's share of the calls. Returns false, without any call, if the input is no longer what the main thread has read. */
export async function makePart(
  shared: SharedCalls,
  surroundings: Surroundings,
  send: (results: NumberedResults) => Promise<void>,
): Promise<boolean> {
  const prepared = await prepare(shared, {
    ...repeatedPlanning(shared, surroundings),
    stdout: { ...surroundings.stdout, ...shared.terminal },
    // The main thread prints warnings.
    stderr: { ...surroundings.stderr, write: () => {} },
  });
  if (prepared.total !== shared.total) return false;
  const numbers: number[] = [];
  let results: [number, CopiedResult][] = [];
  let sentAt = monotonicMs();
  const ahead = sendAhead(send);
  for await (const result of renderedResults(prepared.results(recorded(takenCalls(shared), numbers)), prepared.rendering)) {
    results.push([numbers.shift() ?? -1, copiedResult(result)]);
    if (results.length < resultsAtOnce && monotonicMs() - sentAt < longestMs) continue;
    await ahead.send(results);
    results = [];
    sentAt = monotonicMs();
  }
  await ahead.send(results);
  await ahead.end();
  return true;
}

async function prepare({ command, flags }: ThreadedCommand, surroundings: Surroundings): Promise<PreparedCalls> {
  if (command === 'match') return (await import('../../../commands/match/run-match.js')).prepareMatch(flags, surroundings);
  if (command === 'request') return (await import('../../../commands/request/run-request.js')).prepareRequest(flags, surroundings);
  return (await import('../../../commands/review/review.js')).prepareReview(flags, surroundings);
}
