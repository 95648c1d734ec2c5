import { compilePattern, regexOf } from '../cel/values/regex.js';
import type { ValueType } from '../client/options/value-type.js';
import type { Suite, SuiteCase } from './suite.js';

/** `--run`: a valid regular expression in Go's syntax. Threads get it, too. */
export interface CasePattern {
  readonly text: string;
}

const expected = 'a regular expression';

/** `--run` */
export const casePatternValue: ValueType<CasePattern> = {
  parse: text => ('error' in compilePattern(text) ? undefined : { text }),
  expected,
  expectedFor: text => {
    const compiled = compilePattern(text);
    return 'error' in compiled ? `${expected}; ${compiled.error}` : expected;
  },
  schema: { type: 'string' },
};

/** Reports whether a pattern matches the name of a case, or `suite > name`. */
export function isNamed({ text }: CasePattern, suite: Pick<Suite, 'name'>, { name }: Pick<SuiteCase, 'name'>): boolean {
  const regex = regexOf(text);
  return regex.test(name) || regex.test(`${suite.name} > ${name}`);
}
