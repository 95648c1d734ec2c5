import { effectsFor } from '../../../src/cli/shell/effects.js';
import { type Decided, expressionOutcomes } from '../../../src/conformance/expression-line.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { apiServers } from '../../support/server.js';

import { answerDifference, type RecordedAnswer } from '../compare/answer.js';
import type { Difference } from '../figures.js';
import type { CorpusCase, CorpusFile } from '../files.js';

interface Recorded extends CorpusCase {
  readonly configuration: { readonly status: number };
  readonly Ignore?: RecordedOutcome;
  readonly Fail?: RecordedOutcome;
}

interface RecordedOutcome {
  readonly outcome: Decided['outcome'];
  readonly answer?: RecordedAnswer;
}

/** Compares the answer to posting the expressions, and their result under each recorded failure policy. */
export function differenceIn(file: CorpusFile): Difference {
  const document = toValue({ ...file.document, cases: [] }) as ValueMap;
  return async (testCase: CorpusCase) => {
    const { configuration, Ignore, Fail, ...inputs } = testCase as Recorded;
    const { posted, decided } = expressionOutcomes(toValue(inputs), { document, servers: apiServers, definitions: undefined }, effectsFor);
    const produced = await posted();
    const recordedText = JSON.stringify(configuration);
    const producedText = JSON.stringify(produced);
    if (recordedText !== producedText) return `configuration: recorded ${recordedText}, produced ${producedText}`;
    const outcomes = [
      ['Ignore', Ignore],
      ['Fail', Fail],
    ] as const;
    for (const [policy, outcome] of outcomes) {
      // Expressions at limits, which take long, are recorded with one policy.
      const difference = outcome === undefined ? undefined : outcomeDifference(policy, outcome, await decided(policy));
      if (difference !== undefined) return difference;
    }
    return undefined;
  };
}

function outcomeDifference(policy: string, recorded: RecordedOutcome, produced: Decided): string | undefined {
  if (recorded.outcome !== produced.outcome) {
    const body = produced.answer?.body ?? '';
    return `${policy}: recorded ${recorded.outcome}, produced ${produced.outcome} ${body.slice(0, 500)}`;
  }
  if (recorded.answer === undefined) return undefined;
  const answer = produced.answer === undefined ? undefined : { ...produced.answer, warnings: [], headers: {} };
  const difference = answerDifference(recorded.answer, answer);
  return difference === undefined ? undefined : `${policy}: ${difference}`;
}
