import type { FailureClass } from '../../kubernetes/webhook-call.js';
import type { InvalidSuite } from '../faults.js';
import type { Expectation, Expected, FailureExpectation, FieldMatcher } from '../suite.js';
import {
  booleanOf,
  invalidField,
  items,
  memberField,
  members,
  noted,
  placeOfField,
  readMember,
  type SuiteField,
  textOfField,
  unexpected,
  wholeNumberOf,
} from './field.js';
import { readFieldPath, readTextMatcher } from './matchers.js';

/** Members of `expect`. */
export const expectationFields = [
  'allowed',
  'code',
  'reason',
  'message',
  'warnings',
  'patch',
  'object',
  'called',
  'auditAnnotations',
  'failure',
] as const;

/** Reads the expectations of a case. Throws InvalidSuite. */
export function readExpectation(field: SuiteField): Expectation {
  if (members(field, expectationFields).every(([, { value }]) => value === null)) throw expectsNothing(field);
  const read = <K extends keyof Expectation, T>(key: K, value: (at: SuiteField) => T): { [key in K]?: Expected<T> } => {
    const found = readMember(field, key, at => ({ value: value(at), place: placeOfField(at) }));
    return (found === undefined ? {} : { [key]: found }) as { [key in K]?: Expected<T> };
  };
  const object = readMember(field, 'object', list => placed(nonEmptyItems(list), readFieldMatcher));
  const annotations = readMember(field, 'auditAnnotations', readAnnotations);
  return {
    ...read('allowed', booleanOf),
    ...read('code', at => wholeNumberOf(at, { min: 0, max: 999 })),
    ...read('reason', at => textOfField(at)),
    ...read('message', readTextMatcher),
    ...read('warnings', at => items(at).map(readTextMatcher)),
    ...read('patch', at => items(at).map(({ value }) => value)),
    ...read('failure', readFailure),
    ...read('called', at => items(at).map(item => textOfField(item, "a webhook's name"))),
    ...(object === undefined ? {} : { object }),
    ...(annotations === undefined ? {} : { auditAnnotations: annotations }),
  };
}

/** Reads single expectations with their places; errors are those of the source. */
export function placed<T>(fields: readonly SuiteField[], read: (at: SuiteField) => T): Expected<T>[] {
  return fields.flatMap(at => noted(at, () => ({ value: read(at), place: placeOfField(at) })) ?? []);
}

function readAnnotations(field: SuiteField): NonNullable<Expectation['auditAnnotations']> {
  return nonEmptyMembers(field).flatMap(([key, at]) => placed([at], value => ({ key, matcher: readTextMatcher(value) })));
}

/** Returns the error for an expectation that cannot fail. */
export function expectsNothing(field: SuiteField): InvalidSuite {
  return invalidField(field, 'is empty: it would hold for every result', { suggestions: ['omit it', 'add the expected value'] });
}

/** Returns the items of a list that must not be empty. Throws InvalidSuite. */
export function nonEmptyItems(field: SuiteField): readonly SuiteField[] {
  const list = items(field);
  if (list.length === 0) throw expectsNothing(field);
  return list;
}

function nonEmptyMembers(field: SuiteField): ReturnType<typeof members> {
  const list = members(field);
  if (list.length === 0) throw expectsNothing(field);
  return list;
}

/** Reads `{class, message}` of a failed webhook call. Throws InvalidSuite. */
export function readFailure(field: SuiteField): FailureExpectation {
  if (members(field, ['class', 'message']).every(([, { value }]) => value === null)) throw expectsNothing(field);
  const [found, message] = [memberField(field, 'class'), memberField(field, 'message')];
  const named = found === undefined ? undefined : failureClasses.find(name => name === found.value);
  if (found !== undefined && named === undefined) throw unexpected(found, `one of ${failureClasses.join(', ')}`);
  return {
    ...(named === undefined ? {} : { class: named }),
    ...(message === undefined ? {} : { message: readTextMatcher(message) }),
  };
}

/** Classes of failed webhook calls. */
export const failureClasses = [
  'dns',
  'tcp',
  'tls',
  'http',
  'time',
  'body',
  'review',
  'patch',
  'limit',
] as const satisfies readonly FailureClass[];

const questions = ['equals', 'matches', 'absent'] as const;

/**
 * Reads `{path, equals}`, `{path, matches}` or `{path, absent: true}`; `besides` are members that the caller reads. Throws InvalidSuite.
 */
export function readFieldMatcher(field: SuiteField, besides: readonly string[] = []): FieldMatcher {
  members(field, ['path', ...questions, ...besides]);
  const path = memberField(field, 'path');
  if (path === undefined) throw unexpected(field, 'a map with path and equals, matches or absent');
  const asked = questions.filter(question =>
    question === 'equals' ? hasKey(field, question) : memberField(field, question) !== undefined,
  );
  const [question] = asked;
  if (question === undefined || asked.length > 1) throw unexpected(field, 'a map with path and one of equals, matches or absent');
  return { path: readFieldPath(path), matcher: matcherOf(field, question) };
}

function matcherOf(field: SuiteField, question: (typeof questions)[number]): FieldMatcher['matcher'] {
  if (question === 'equals') return { equals: (field.value instanceof Map ? field.value.get('equals') : undefined) ?? null };
  if (question === 'matches') return { text: readTextMatcher(field.value instanceof Map ? onlyMatches(field) : field) };
  const absent = memberField(field, 'absent');
  if (absent?.value !== true) throw unexpected(absent ?? field, 'true');
  return { absent: true };
}

function onlyMatches(field: SuiteField): SuiteField {
  return { ...field, value: new Map(field.value instanceof Map ? [...field.value].filter(([key]) => key === 'matches') : []) };
}

function hasKey(field: SuiteField, key: string): boolean {
  return field.value instanceof Map && field.value.has(key);
}
