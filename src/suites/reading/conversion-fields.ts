import type { ConversionOptions } from '../../client/options/conversion-options.js';
import type { ConversionExpectation } from '../suite.js';
import { expectationFields, expectsNothing, nonEmptyItems, placed, readFailure, readFieldMatcher } from './expectation-fields.js';
import {
  booleanOf,
  invalidField,
  invalidFieldValue,
  items,
  memberField,
  members,
  placeOfField,
  readMember,
  type SuiteField,
  textOfField,
} from './field.js';
import { readFieldPath, readTextMatcher } from './matchers.js';

/** Fields that make a case a conversion case. */
const questions = ['to', 'round-trip'] as const;

/** Fields of a conversion case other than options. */
const ownConversionFields = ['name', 'expect', 'snapshot', 'redact', 'matrix', 'skip', 'only'] as const;

/** Members of `expect` for conversions. */
const conversionExpectationFields = ['converted', 'message', 'failure', 'object', 'lost', 'findings'] as const;

/** Reports whether a case converts objects instead of making API calls. Its matrix may decide that, too. */
export function isConversion(field: SuiteField): boolean {
  const matrix = memberField(field, 'matrix');
  return questions.some(
    name => memberField(field, name) !== undefined || (matrix !== undefined && memberField(matrix, name) !== undefined),
  );
}

/** Rejects fields that only API calls have. `fields` are those of conversions. Throws InvalidSuite. */
export function checkConversionFields(field: SuiteField, fields: readonly string[]): void {
  const known = [...ownConversionFields, ...fields];
  const foreign = members(field).find(([name]) => !known.includes(name));
  if (foreign === undefined) return;
  throw invalidField(foreign[1], 'is a field of API calls, but this case converts', { suggestions: ['omit it'] });
}

/** Rejects a case without conversions or expectations. Throws InvalidSuite. */
export function checkConversion(field: SuiteField, { filename, roundTrip, to }: ConversionOptions): void {
  const [converts, comesBack] = [to !== undefined, roundTrip === true];
  if (filename === undefined)
    throw invalidField(field, 'has nothing to convert', { suggestions: ['add filename: with a custom resource'] });
  if (to?.length === 0)
    throw invalidField(memberField(field, 'to') ?? field, 'is an empty list: nothing would be converted', {
      suggestions: ['omit it', 'write all'],
    });
  if (!converts && !comesBack)
    throw invalidField(field, 'has no version', { suggestions: ['add to: with one, or all', 'round-trip: true'] });
  const expect = memberField(field, 'expect');
  if (expect === undefined) return;
  for (const [name, found] of members(expect)) {
    if (!comesBack && (name === 'lost' || name === 'findings'))
      throw invalidField(found, 'is about round trips, but the case has none', { suggestions: ['add round-trip: true'] });
    if (!converts && name !== 'lost' && name !== 'findings')
      throw invalidField(found, 'is about converted objects, but the case has no version', { suggestions: ['add to: with one, or all'] });
  }
}

/** Rejects expectations of conversions in a case that makes API calls. Throws InvalidSuite. */
export function refuseConversionExpectations(expect: SuiteField): void {
  const calls: readonly string[] = expectationFields;
  const [foreign] = conversionExpectationFields.filter(name => !calls.includes(name)).flatMap(name => memberField(expect, name) ?? []);
  if (foreign === undefined) return;
  throw invalidField(foreign, 'is about conversions, but the case makes an API call', {
    suggestions: ['add to: with a version, or round-trip: true'],
  });
}

/** Reads the expectations of a conversion case. Throws InvalidSuite. */
export function readConversionExpectation(field: SuiteField): ConversionExpectation {
  const known: readonly string[] = [...new Set([...conversionExpectationFields, ...expectationFields])];
  const given = members(field, known);
  if (given.every(([, { value }]) => value === null)) throw expectsNothing(field);
  for (const [name, found] of given) {
    if (conversionExpectationFields.some(known => known === name) || !known.includes(name)) continue;
    throw invalidField(found, 'is about API calls, but the case converts', {
      suggestions: [`expect ${conversionExpectationFields.join(', ')}`],
    });
  }
  const read = <K extends keyof ConversionExpectation>(key: K, value: (at: SuiteField) => NonNullable<ConversionExpectation[K]>) => {
    const found = readMember(field, key, value);
    return (found === undefined ? {} : { [key]: found }) as Pick<ConversionExpectation, K>;
  };
  return {
    ...read('converted', at => ({ value: booleanOf(at), place: placeOfField(at) })),
    ...read('message', at => ({ value: readTextMatcher(at), place: placeOfField(at) })),
    ...read('failure', at => ({ value: readFailure(at), place: placeOfField(at) })),
    ...read('object', at => placed(nonEmptyItems(at), readConvertedField)),
    ...read('lost', at => placed(items(at), readFieldPath)),
    ...read('findings', at => placed(items(at), readTextMatcher)),
  };
}

/** Reads an expectation about a field, optionally of one version. */
function readConvertedField(field: SuiteField): NonNullable<ConversionExpectation['object']>[number]['value'] {
  const to = memberField(field, 'to');
  const matcher = readFieldMatcher(field, ['to']);
  if (to === undefined) return matcher;
  const version = textOfField(to, 'a version such as v1beta1');
  if (version.includes('/')) throw invalidFieldValue(to, JSON.stringify(version), 'a version without its group');
  return { ...matcher, to: version };
}
