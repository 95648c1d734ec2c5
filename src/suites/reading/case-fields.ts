import { InvalidSuite } from '../faults.js';
import { snapshotFileName } from '../snapshots/snapshot-name.js';
import type { FlagValues, Redaction, SuiteCase } from '../suite.js';
import { readExpectation } from './expectation-fields.js';
import { booleanOf, type Field, invalid, items, member, members, placeOf, textOf } from './field.js';
import { type FlagFields, readFlags } from './flag-fields.js';
import { readMatrix } from './matrix-fields.js';
import { readRedactions } from './redaction-fields.js';

/** The fields of a case beside the flags. */
export const ownCaseFields = ['name', 'expect', 'snapshot', 'redact', 'matrix', 'skip', 'only'] as const;

export interface CaseReading {
  /** The suite's file without its ending. */
  readonly stem: string;
  readonly fields: FlagFields;
}

/** The cases of a suite, one for every choice of their matrices. Throws InvalidSuite. */
export async function readCases(suite: Field, reading: CaseReading): Promise<SuiteCase[]> {
  const list = member(suite, 'cases');
  if (list === undefined) throw invalid(suite, 'has no cases');
  if (items(list).length === 0) throw invalid(list, 'is empty: there is nothing to run');
  const defaults = {
    flags: await readFlags(suite, reading.fields),
    snapshot: snapshotOf(suite) ?? true,
    redactions: readRedactions(member(suite, 'redact')),
  };
  const cases: SuiteCase[] = [];
  for (const field of items(list)) cases.push(...(await readCase(field, defaults, reading)));
  refuseTwins(cases);
  return cases;
}

interface Defaults {
  readonly flags: FlagValues;
  readonly snapshot: boolean;
  readonly redactions: readonly Redaction[];
}

async function readCase(field: Field, defaults: Defaults, { stem, fields }: CaseReading): Promise<SuiteCase[]> {
  members(field, [...ownCaseFields, ...Object.keys(fields)]);
  const named = member(field, 'name');
  if (named === undefined || textOf(named) === '')
    throw invalid(field, 'has no name', { suggestions: ['give it one that no other case has'] });
  const own = await readFlags(field, fields);
  const expected = member(field, 'expect');
  const skip = member(field, 'skip');
  const only = member(field, 'only');
  const shared = {
    place: placeOf(field),
    expect: expected === undefined ? {} : readExpectation(expected),
    redactions: [...defaults.redactions, ...readRedactions(member(field, 'redact'))],
    skip:
      skip === undefined || skip.value === false
        ? undefined
        : skip.value === true
          ? 'skipped by the suite'
          : textOf(skip, 'the reason, or true'),
    only: only !== undefined && booleanOf(only),
  };
  const hasSnapshot = snapshotOf(field) ?? defaults.snapshot;
  return (await readMatrix(member(field, 'matrix'), fields)).map(choice => {
    const name = textOf(named) + choice.suffix;
    const flags = { ...defaults.flags, ...own, ...choice.flags };
    if (flags['filename'] === undefined && flags['call'] === undefined) {
      throw invalid(field, 'says no call', { suggestions: ['add filename: with a manifest, or call: with exact HTTP calls'] });
    }
    return { name, ...shared, flags, snapshot: hasSnapshot ? snapshotFileName(stem, name) : undefined };
  });
}

function snapshotOf(field: Field): boolean | undefined {
  const snapshot = member(field, 'snapshot');
  return snapshot === undefined ? undefined : booleanOf(snapshot);
}

function refuseTwins(cases: readonly SuiteCase[]): void {
  const seen = new Map<string, SuiteCase>();
  for (const suiteCase of cases) {
    const first = seen.get(suiteCase.name);
    seen.set(suiteCase.name, suiteCase);
    if (first === undefined) continue;
    throw new InvalidSuite(
      `two cases are called ${JSON.stringify(suiteCase.name)}, this one and that of line ${first.place.line}`,
      suiteCase.place,
      {
        suggestions: ['give each a name of its own'],
      },
    );
  }
}
