import { nearest } from '../../client/nearest.js';
import type { ValueType } from '../../client/options/value-type.js';
import { type SuiteReporterName, suiteReporterNames } from '../../reports/suites/reporter-names.js';

/** One `--reporter NAME[=FILE]`. */
export interface ReporterChoice {
  readonly name: SuiteReporterName;
  /** As given; undefined: stdout. */
  readonly file: string | undefined;
}

/** `--reporter` */
export const reporterValue: ValueType<ReporterChoice> = {
  parse: text => {
    const [word, file] = parts(text);
    const name = suiteReporterNames.find(known => known === word);
    return name === undefined || file === '' ? undefined : { name, file };
  },
  expected: `NAME or NAME=FILE with one of the names ${suiteReporterNames.join(', ')}`,
  suggest: text => {
    const [word] = parts(text);
    const meant = suiteReporterNames.some(known => known === word) ? undefined : nearest(word, suiteReporterNames);
    return meant === undefined ? [] : [`did you mean ${meant}?`];
  },
  schema: { type: 'string' },
};

function parts(text: string): [word: string, file: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
