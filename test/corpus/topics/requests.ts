import { randomUUID } from 'node:crypto';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { recordedCase } from '../../../src/conformance/recorded-case.js';
import { requestLine } from '../../../src/conformance/request-line.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { apiServers } from '../../support/server.js';

import { answerDifference, type RecordedAnswer } from '../compare/answer.js';
import { type RecordedReview, reviewsDifference } from '../compare/reviews.js';
import type { Difference } from '../figures.js';
import type { CorpusCase, CorpusFile } from '../files.js';

/** Recorded results of a request case. */
interface Recorded extends CorpusCase {
  readonly reviews?: readonly RecordedReview[];
  readonly answer: RecordedAnswer;
  readonly volatile?: readonly string[];
  readonly answerVolatile?: readonly string[];
  readonly answerUnordered?: boolean;
}

/** Review bodies byte for byte, then the client's answer. */
export function differenceIn(file: CorpusFile): Difference {
  return differenceWith(file, undefined);
}

/** The same for files with definitions of custom resources. */
export function differenceWith(file: CorpusFile, definitions: ValueMap | undefined): Difference {
  const document = toValue({ ...file.document, cases: [] }) as ValueMap;
  return async (testCase: CorpusCase) => {
    const recorded = testCase as Recorded;
    const { reviews: _reviews, answer: _answer, ...inputs } = recorded;
    const line = await requestLine(recordedCase(toValue(inputs), { servers: apiServers, document, definitions }, randomUUID), effectsFor);
    const leeway = { volatile: recorded.answerVolatile, unordered: recorded.answerUnordered };
    return reviewsDifference(recorded, line.reviews) ?? answerDifference(recorded.answer, line.answer, leeway);
  };
}
