import type { ConversionExpectation, FlagValues } from '../suite.js';
import { expectationFields, readFieldMatcher } from './expectation-fields.js';
import { booleanOf, type Field, invalid, invalidValue, items, member, members, placeOf, textOf } from './field.js';
import { readFieldPath, readTextMatcher } from './matchers.js';

/** The flags that make a case one that converts. */
const questions = ['to', 'round-trip'] as const;

/** The fields beside the flags of a case that converts. */
const ownConversionFields = ['name', 'expect', 'snapshot', 'redact', 'matrix', 'skip', 'only'] as const;

/** What `expect` may say of conversions. */
const conversionExpectationFields = ['converted', 'message', 'object', 'lost', 'findings'] as const;

/** Does a case convert objects, instead of making API calls? Its matrix may say so as well. */
export function isConversion(field: Field): boolean {
  const matrix = member(field, 'matrix');
  return questions.some(name => member(field, name) !== undefined || (matrix !== undefined && member(matrix, name) !== undefined));
}

/** Refuses fields that only API calls have. `flags` are those of conversions. Throws InvalidSuite. */
export function checkConversionFields(field: Field, flags: readonly string[]): void {
  const known = [...ownConversionFields, ...flags];
  const foreign = members(field).find(([name]) => !known.includes(name));
  if (foreign === undefined) return;
  throw invalid(foreign[1], 'belongs to API calls, and this case converts', { suggestions: ['leave it out'] });
}

/** Refuses what leaves nothing to be done or to be expected. Throws InvalidSuite. */
export function checkConversion(field: Field, flags: FlagValues): void {
  const { to } = flags;
  const [converts, comesBack] = [to !== undefined, flags['round-trip'] === true];
  if (flags['filename'] === undefined)
    throw invalid(field, 'names nothing to convert', { suggestions: ['add filename: with a custom resource'] });
  if (Array.isArray(to) && to.length === 0)
    throw invalid(member(field, 'to') ?? field, 'is an empty list, so that nothing would be converted', {
      suggestions: ['leave it out', 'write all'],
    });
  if (!converts && !comesBack) throw invalid(field, 'says no version', { suggestions: ['add to: with one, or all', 'round-trip: true'] });
  const expect = member(field, 'expect');
  if (expect === undefined) return;
  for (const [name, found] of members(expect)) {
    if (!comesBack && (name === 'lost' || name === 'findings'))
      throw invalid(found, 'is about the way there and back, and the case goes there only', { suggestions: ['add round-trip: true'] });
    if (!converts && name !== 'lost' && name !== 'findings')
      throw invalid(found, 'is about what becomes of objects, and the case says no version', { suggestions: ['add to: with one, or all'] });
  }
}

/** Refuses, in a case that makes API calls, expectations that only conversions have. Throws InvalidSuite. */
export function refuseConversionExpectations(expect: Field): void {
  const calls: readonly string[] = expectationFields;
  const [foreign] = conversionExpectationFields.filter(name => !calls.includes(name)).flatMap(name => member(expect, name) ?? []);
  if (foreign === undefined) return;
  throw invalid(foreign, 'is about conversions, and the case makes an API call', {
    suggestions: ['add to: with a version, or round-trip: true'],
  });
}

/** The expectations of a case that converts. Throws InvalidSuite. */
export function readConversionExpectation(field: Field): ConversionExpectation {
  for (const [name, found] of members(field, [...new Set([...conversionExpectationFields, ...expectationFields])])) {
    if (conversionExpectationFields.some(known => known === name)) continue;
    throw invalid(found, 'is about an API call, and the case converts', {
      suggestions: [`expect ${conversionExpectationFields.join(', ')}`],
    });
  }
  const [converted, message, object] = [member(field, 'converted'), member(field, 'message'), member(field, 'object')];
  const [lost, findings] = [member(field, 'lost'), member(field, 'findings')];
  return {
    ...(converted === undefined ? {} : { converted: { value: booleanOf(converted), place: placeOf(converted) } }),
    ...(message === undefined ? {} : { message: { value: readTextMatcher(message), place: placeOf(message) } }),
    ...(object === undefined ? {} : { object: items(object).map(at => ({ value: readConvertedField(at), place: placeOf(at) })) }),
    ...(lost === undefined ? {} : { lost: items(lost).map(at => ({ value: readFieldPath(at), place: placeOf(at) })) }),
    ...(findings === undefined ? {} : { findings: items(findings).map(at => ({ value: readTextMatcher(at), place: placeOf(at) })) }),
  };
}

/** A question about a field, perhaps in one version only. */
function readConvertedField(field: Field): NonNullable<ConversionExpectation['object']>[number]['value'] {
  const to = member(field, 'to');
  const matcher = readFieldMatcher(field, ['to']);
  if (to === undefined) return matcher;
  const version = textOf(to, 'a version such as v1beta1');
  if (version.includes('/')) throw invalidValue(to, JSON.stringify(version), 'a version without its group');
  return { ...matcher, to: version };
}
