import { describe, expect, it } from 'vitest';
import { answerTo, type ConformanceCase, conformanceCases, differenceFrom } from './conformance.js';
import { answeredOtherwise, mixedLiterals } from './conformance-exceptions.js';

const cases = conformanceCases();
const sections = [...new Set(cases.map(({ section }) => section))];

describe('the conformance data of cel-spec', () => {
  it('has cases for every enabled section', () => {
    expect(cases.length).toBe(1301);
    expect(sections.length).toBe(93);
  });

  it.each(sections)('gives the expected results: %s', section => {
    const unexpected = cases
      .filter(one => one.section === section && !isException(one))
      .flatMap(one => {
        const difference = differenceFrom(one);
        return difference === undefined ? [] : [`${one.name}: ${difference}`];
      });
    expect(unexpected).toEqual([]);
  });

  it('rejects literals with mixed types, as the API server does', () => {
    const mixed = cases.filter(isMixed).map(answerTo);
    expect(mixed.length).toBe(43);
    for (const answer of mixed) expect(answer).toMatch(/^compilation failed: ERROR: <input>:\d+:\d+: expected type '.*' but found '.*'$/);
  });

  it('gives the API server’s result where it differs from the specification', () => {
    const answers = cases.filter(one => keyOf(one) in answeredOtherwise).map(one => [keyOf(one), answerTo(one)]);
    expect(Object.fromEntries(answers)).toEqual(answeredOtherwise);
  });
});

function isException(one: ConformanceCase): boolean {
  return isMixed(one) || keyOf(one) in answeredOtherwise;
}

function isMixed({ section, name }: ConformanceCase): boolean {
  return mixedLiterals[section]?.includes(name) === true;
}

function keyOf({ section, name }: ConformanceCase): string {
  return `${section} ${name}`;
}
