import { randomUUID } from 'node:crypto';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { lintLine } from '../../../src/conformance/request-line.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { apiServers } from '../../support/server.js';

import { answerDifference, type RecordedAnswer } from '../compare/answer.js';
import type { Difference } from '../figures.js';
import type { CorpusCase, CorpusFile } from '../files.js';

interface Recorded extends CorpusCase {
  readonly answer: RecordedAnswer & { readonly volatile?: readonly string[] };
  readonly answerUnordered?: boolean;
}

/** The client's answer to posting or changing a webhook configuration. */
export function differenceIn(file: CorpusFile): Difference {
  const document = toValue({ ...file.document, cases: [] }) as ValueMap;
  return async (testCase: CorpusCase) => {
    const { answer, answerUnordered, ...inputs } = testCase as Recorded;
    const line = await lintLine(
      recordedCase(toValue(inputs), { document, servers: apiServers, definitions: undefined }, randomUUID),
      effectsFor,
    );
    return answerDifference(answer, line.answer, { volatile: answer.volatile, unordered: answerUnordered });
  };
}
