import type { ConversionOptions } from '../../client/options/conversion-options.js';
import type { ConversionExpectation } from '../suite.js';
import { expectationFields, expectsNothing, nonEmptyItems, placed, readFailure, readFieldMatcher } from './expectation-fields.js';
import { booleanOf, type Field, invalid, invalidValue, items, member, members, placeOf, readMember, textOf } from './field.js';
import { readFieldPath, readTextMatcher } from './matchers.js';

/** Fields that make a case a conversion case. */
const questions = ['to', 'round-trip'] as const;

/** Fields of a conversion case other than options. */
const ownConversionFields = ['name', 'expect', 'snapshot', 'redact', 'matrix', 'skip', 'only'] as const;

/** Members of `expect` for conversions. */
const conversionExpectationFields = ['converted', 'message', 'failure', 'object', 'lost', 'findings'] as const;

/** Reports whether a case converts objects instead of making API calls. Its matrix may decide that, too. */
export function isConversion(field: Field): boolean {
  const matrix = member(field, 'matrix');
  return questions.some(name => member(field, name) !== undefined || (matrix !== undefined && member(matrix, name) !== undefined));
}

/** Rejects fields that only API calls have. `fields` are those of conversions. Throws InvalidSuite. */
export function checkConversionFields(field: Field, fields: readonly string[]): void {
  const known = [...ownConversionFields, ...fields];
  const foreign = members(field).find(([name]) => !known.includes(name));
  if (foreign === undefined) return;
  throw invalid(foreign[1], 'is a field of API calls, but this case converts', { suggestions: ['omit it'] });
}

/** Rejects a case without conversions or expectations. Throws InvalidSuite. */
export function checkConversion(field: Field, { filename, roundTrip, to }: ConversionOptions): void {
  const [converts, comesBack] = [to !== undefined, roundTrip === true];
  if (filename === undefined) throw invalid(field, 'has nothing to convert', { suggestions: ['add filename: with a custom resource'] });
  if (to?.length === 0)
    throw invalid(member(field, 'to') ?? field, 'is an empty list: nothing would be converted', {
      suggestions: ['omit it', 'write all'],
    });
  if (!converts && !comesBack) throw invalid(field, 'has no version', { suggestions: ['add to: with one, or all', 'round-trip: true'] });
  const expect = member(field, 'expect');
  if (expect === undefined) return;
  for (const [name, found] of members(expect)) {
    if (!comesBack && (name === 'lost' || name === 'findings'))
      throw invalid(found, 'is about round trips, but the case has none', { suggestions: ['add round-trip: true'] });
    if (!converts && name !== 'lost' && name !== 'findings')
      throw invalid(found, 'is about converted objects, but the case has no version', { suggestions: ['add to: with one, or all'] });
  }
}

/** Rejects expectations of conversions in a case that makes API calls. Throws InvalidSuite. */
export function refuseConversionExpectations(expect: Field): void {
  const calls: readonly string[] = expectationFields;
  const [foreign] = conversionExpectationFields.filter(name => !calls.includes(name)).flatMap(name => member(expect, name) ?? []);
  if (foreign === undefined) return;
  throw invalid(foreign, 'is about conversions, but the case makes an API call', {
    suggestions: ['add to: with a version, or round-trip: true'],
  });
}

/** Reads the expectations of a conversion case. Throws InvalidSuite. */
export function readConversionExpectation(field: Field): ConversionExpectation {
  const known: readonly string[] = [...new Set([...conversionExpectationFields, ...expectationFields])];
  const given = members(field, known);
  if (given.every(([, { value }]) => value === null)) throw expectsNothing(field);
  for (const [name, found] of given) {
    if (conversionExpectationFields.some(known => known === name) || !known.includes(name)) continue;
    throw invalid(found, 'is about API calls, but the case converts', {
      suggestions: [`expect ${conversionExpectationFields.join(', ')}`],
    });
  }
  const read = <K extends keyof ConversionExpectation>(key: K, value: (at: Field) => NonNullable<ConversionExpectation[K]>) => {
    const found = readMember(field, key, value);
    return (found === undefined ? {} : { [key]: found }) as Pick<ConversionExpectation, K>;
  };
  return {
    ...read('converted', at => ({ value: booleanOf(at), place: placeOf(at) })),
    ...read('message', at => ({ value: readTextMatcher(at), place: placeOf(at) })),
    ...read('failure', at => ({ value: readFailure(at), place: placeOf(at) })),
    ...read('object', at => placed(nonEmptyItems(at), readConvertedField)),
    ...read('lost', at => placed(items(at), readFieldPath)),
    ...read('findings', at => placed(items(at), readTextMatcher)),
  };
}

/** Reads an expectation about a field, optionally of one version. */
function readConvertedField(field: Field): NonNullable<ConversionExpectation['object']>[number]['value'] {
  const to = member(field, 'to');
  const matcher = readFieldMatcher(field, ['to']);
  if (to === undefined) return matcher;
  const version = textOf(to, 'a version such as v1beta1');
  if (version.includes('/')) throw invalidValue(to, JSON.stringify(version), 'a version without its group');
  return { ...matcher, to: version };
}
