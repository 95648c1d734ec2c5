import { regexOf } from '../../cel/values/regex.js';
import { existingPart, fieldPathText, valuesAt } from '../../client/field-path.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { ownMember } from '../../go/own-members.js';
import { isList, stringAt, type Value } from '../../go/value.js';
import { readableJson } from '../readable-json.js';
import type { CaseCall, TestFailure } from '../results.js';
import { snapshotDiff } from '../snapshots/compare.js';
import { firstDifference } from '../snapshots/first-difference.js';
import { inCanonicalOrder } from '../snapshots/patch-order.js';
import type { Expectation, Expected, FieldMatcher, SuiteCase, TextMatcher } from '../suite.js';

/** Returns the expectations of a case that do not hold, per call, in the order of the suite file's documentation. */
export function failuresOf({ expect }: Pick<SuiteCase, 'expect'>, calls: readonly CaseCall[]): TestFailure[] {
  return calls.flatMap((call, i) => {
    const which = calls.length === 1 ? '' : `call ${i + 1}, ${call.report.call.method} ${call.report.call.path.split('?', 1)[0]}: `;
    return [...failuresOfCall(expect, call), ...(call.findings ?? []).map(failureOfFinding)].map(failure => ({
      ...failure,
      message: which + failure.message,
    }));
  });
}

function failuresOfCall(expect: Expectation, call: CaseCall): TestFailure[] {
  const { decision } = call.report;
  const status = decision.status;
  const patch = call.report.webhooks.flatMap(entry => entry.patch);
  return [
    ...allowedFailures(expect.allowed, call),
    ...plainFailures('code', expect.code, decision.code),
    ...plainFailures('reason', expect.reason, stringAt(status, 'reason')),
    ...textFailures('message', expect.message, stringAt(status, 'message')),
    ...warningFailures(expect.warnings, decision.warnings),
    ...patchFailures(expect.patch, patch),
    ...(expect.object ?? []).flatMap(field => fieldFailures(field, decision.object)),
    ...plainListFailures('called', expect.called, calledWebhooks(call)),
    ...(expect.auditAnnotations ?? []).flatMap(annotation => annotationFailures(annotation, decision.auditAnnotations)),
  ];
}

function failureOfFinding({ check, webhook, message }: NonNullable<CaseCall['findings']>[number]): TestFailure {
  return { check, message: webhook === '' ? message : `${webhook} ${message}` };
}

function allowedFailures(expected: Expected<boolean> | undefined, call: CaseCall): TestFailure[] {
  const { allowed, code } = call.report.decision;
  if (expected === undefined || expected.value === allowed) return [];
  const message = allowed ? 'expected refusal, but the call was allowed' : `expected the call to be allowed, but it was refused (${code})`;
  const said = allowed ? [] : call.kubectl.filter(line => line !== '');
  return [{ check: 'allowed', message: [message, ...said].join('\n'), place: expected.place }];
}

/** Names of the webhooks that were called, successfully or not. */
function calledWebhooks({ report }: CaseCall): string[] {
  return report.webhooks.filter(({ outcome }) => outcome !== 'skipped').map(({ webhook }) => webhook);
}

function plainFailures(check: string, expected: Expected<string | number> | undefined, actual: string | number): TestFailure[] {
  if (expected === undefined || expected.value === actual) return [];
  return [different(check, check, { expected: String(expected.value), actual: String(actual), place: expected.place })];
}

interface Pair extends Pick<TestFailure, 'place'> {
  readonly expected: string;
  readonly actual: string;
}

/** `code is 403 instead of 422` */
function different(check: string, what: string, { expected, actual, ...place }: Pair): TestFailure {
  const [is, was] = [actual, expected].map(text => (text === '' ? 'empty' : text));
  return { check, message: `${what} is ${is} instead of ${was}`, expected, actual, ...place };
}

/** Reports whether the text equals the expected one, or contains a match of the pattern. */
export function fits(matcher: TextMatcher, text: string): boolean {
  return 'exact' in matcher ? matcher.exact === text : regexOf(matcher.pattern).test(text);
}

/** The expected text for messages: `/PATTERN/` for a pattern. */
export function matcherText(matcher: TextMatcher): string {
  return 'exact' in matcher ? matcher.exact : `/${matcher.pattern}/`;
}

/** Failure for a text that does not match. */
export function textFailures(check: string, expected: Expected<TextMatcher> | undefined, actual: string): TestFailure[] {
  if (expected === undefined || fits(expected.value, actual)) return [];
  return [textFailure(check, check, { expected: expected.value, actual, place: expected.place })];
}

function textFailure(
  check: string,
  what: string,
  { expected, actual, place }: Pick<TestFailure, 'place'> & { readonly expected: TextMatcher; readonly actual: string },
): TestFailure {
  const wanted = 'exact' in expected ? 'differs' : 'does not match';
  return { check, message: `${what} ${wanted}`, expected: matcherText(expected), actual, ...(place === undefined ? {} : { place }) };
}

function warningFailures(expected: Expected<readonly TextMatcher[]> | undefined, actual: readonly string[]): TestFailure[] {
  if (expected === undefined) return [];
  const { value, place } = expected;
  if (value.length === actual.length && value.every((matcher, i) => fits(matcher, actual[i] ?? ''))) return [];
  const message = `expected ${value.length} warnings, got ${actual.length}`;
  const texts = { expected: value.map(matcherText).join('\n'), actual: actual.join('\n') };
  return [{ check: 'warnings', message: value.length === actual.length ? 'the warnings differ' : message, ...texts, place }];
}

function plainListFailures(check: string, expected: Expected<readonly string[]> | undefined, actual: readonly string[]): TestFailure[] {
  if (expected === undefined || JSON.stringify(expected.value) === JSON.stringify(actual)) return [];
  return [different(check, check, { expected: expected.value.join(', '), actual: actual.join(', '), place: expected.place })];
}

/** Operations that do not depend on each other may come in any order. */
function patchFailures(expected: Expected<Value> | undefined, actual: readonly Value[]): TestFailure[] {
  if (!isList(expected?.value)) return [];
  return valueFailures('patch', { value: inCanonicalOrder(expected.value), place: expected.place }, inCanonicalOrder(actual));
}

function valueFailures(check: string, expected: Expected<Value> | undefined, actual: Value): TestFailure[] {
  if (expected === undefined) return [];
  const difference = firstDifference(expected.value, actual);
  if (difference === undefined) return [];
  const where = difference.path === '' ? check : `${check}${difference.path.startsWith('[') ? '' : '.'}${difference.path}`;
  const message = `${where} is ${difference.actual ?? 'absent'} instead of ${difference.expected ?? 'absent'}`;
  return [{ check, message, diff: snapshotDiff(writeYaml(expected.value), writeYaml(actual)), place: expected.place }];
}

/** Failures for fields of an object; undefined if there is no object. */
export function fieldFailures({ value: { path, matcher }, place }: Expected<FieldMatcher>, object: Value | undefined): TestFailure[] {
  const name = fieldPathText(path);
  const fail = (message: string, texts: Partial<Pair> = {}): TestFailure[] => [{ check: 'object', message, place, ...texts }];
  if (object === undefined) return fail(`missing ${name}: the client gets no object`);
  const found = valuesAt(object, path);
  if ('absent' in matcher) return found.length === 0 ? [] : fail(`${name} is present, expected it to be absent`);
  if (found.length === 0) {
    const existing = fieldPathText(existingPart(object, path));
    return fail(`${name} is absent; ${existing === '' ? 'no part of that path exists' : `only ${existing} exists`}`);
  }
  return found.flatMap(at => {
    const where = fieldPathText(at.path);
    const actual = typeof at.value === 'string' ? at.value : readableJson(at.value);
    if ('text' in matcher)
      return fits(matcher.text, actual) ? [] : [textFailure('object', where, { expected: matcher.text, actual, place })];
    const difference = firstDifference(matcher.equals, at.value);
    if (difference === undefined) return [];
    const expected = typeof matcher.equals === 'string' ? matcher.equals : readableJson(matcher.equals);
    return [different('object', where, { expected, actual, place })];
  });
}

function annotationFailures(
  { value: { key, matcher }, place }: Expected<{ readonly key: string; readonly matcher: TextMatcher }>,
  actual: Readonly<Record<string, string>>,
): TestFailure[] {
  const text = ownMember(actual, key);
  if (text !== undefined) {
    return fits(matcher, text)
      ? []
      : [textFailure('auditAnnotations', `the audit annotation ${key}`, { expected: matcher, actual: text, place })];
  }
  const keys = Object.keys(actual);
  const there = keys.length === 0 ? 'there are none' : `only ${keys.join(', ')}`;
  return [{ check: 'auditAnnotations', message: `the audit annotation ${key} is absent; ${there}`, place }];
}
