import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkName, checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { quote } from '../../../go/quote.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { countIndexes } from './completed-indexes.js';

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

export function checkFailurePolicy(spec: FieldPath): void {
  const rules = spec.child('podFailurePolicy', 'rules');
  if (rules.length() > 20) rules.tooMany(rules.length(), 20);
  const names = ['containers', 'initContainers'].flatMap(list =>
    spec.items('template', 'spec', list).map(container => container.text('name')),
  );
  for (const rule of rules.items()) {
    const action = rule.child('action');
    if (action.text() === 'FailIndex') {
      if (!spec.has('backoffLimitPerIndex')) action.invalid('requires the backoffLimitPerIndex to be set');
    } else checkListed(action, failureActions);
    const [codes, conditions] = [rule.child('onExitCodes'), rule.child('onPodConditions')];
    if (codes.isSet()) checkExitCodes(codes, names);
    checkConditions(conditions);
    const both = codes.isSet() && conditions.length() > 0;
    const message = both
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required';
    if (both || (!codes.isSet() && conditions.length() === 0))
      rule.errors.push({ type: 'FieldValueInvalid', field: rule.path, badValue: undefined, detail: message });
  }
}

/** Validates a value that is one of a few, which the error lists even when it is missing. */
function checkListed(field: FieldPath, known: readonly string[]): void {
  if (field.text() === '') field.required(`valid values: [${known.map(quote).join(' ')}]`);
  else if (!known.includes(field.text())) field.notSupported(known);
}

function checkExitCodes(codes: FieldPath, containers: readonly string[]): void {
  const [operator, name, values] = [codes.child('operator'), codes.child('containerName'), codes.child('values')];
  checkListed(operator, ['In', 'NotIn']);
  if (name.isSet() && !containers.includes(name.text()))
    name.invalid('must be one of the container or initContainer names in the pod template');
  if (values.length() === 0) values.invalid(values.isSet() ? { rawJson: '[]' } : null, 'at least one value is required');
  else if (values.length() > 255) values.tooMany(values.length(), 255);
  const numbers = values.items().map(field => field.number());
  for (const [index, value] of values.items().entries()) {
    if (operator.text() === 'In' && value.number() === 0n) value.invalid('must not be 0 for the In operator');
    if (numbers.indexOf(value.number()) < index) value.duplicate();
  }
  if (numbers.some((value, index) => index > 0 && value < (numbers[index - 1] ?? value))) values.invalid('must be ordered');
}

function checkConditions(conditions: FieldPath): void {
  if (conditions.length() > 20) conditions.tooMany(conditions.length(), 20);
  for (const pattern of conditions.items()) {
    checkName(pattern.child('type'), text => labelKeyProblems(conditions.server, text));
    checkListed(pattern.child('status'), ['False', 'True', 'Unknown']);
  }
}

const maxIndexesLength = 64 * 1024;

export function checkSuccessPolicy(spec: FieldPath): void {
  const policy = spec.child('successPolicy');
  if (!policy.isSet()) return;
  if (spec.text('completionMode') !== 'Indexed') {
    policy.invalid(internalValue(spec.server, 'batch/v1.SuccessPolicy', policy.value), 'requires indexed completion mode');
    return;
  }
  const rules = policy.child('rules');
  if (rules.length() === 0) rules.required('at least one rules must be specified when the successPolicy is specified');
  if (rules.length() > 20) rules.tooMany(rules.length(), 20);
  for (const rule of rules.items()) checkSuccessRule(rule, spec.number('completions'));
}

/** Source: batch/validation validateSuccessPolicyRule. */
function checkSuccessRule(rule: FieldPath, completions: bigint): void {
  const [count, indexes] = [rule.child('succeededCount'), rule.child('succeededIndexes')];
  if (!count.isSet() && !indexes.isSet()) rule.required('at least one of succeededCount or succeededIndexes must be specified');
  const text = indexes.text();
  if (Buffer.byteLength(text) > maxIndexesLength) indexes.tooLong(maxIndexesLength);
  const total = countIndexes(text, Number(completions));
  if (typeof total === 'string') indexes.invalid(`error parsing succeededIndexes: ${total}`);
  if (!count.isSet()) return;
  checkNonNegative(count);
  if (count.number() > completions) count.invalid(`must be less than or equal to ${completions} (the number of specified completions)`);
  const listed = typeof total === 'string' ? 0n : total;
  if (indexes.isSet() && count.number() > listed)
    count.invalid(`must be less than or equal to ${listed} (the number of indexes in the specified succeededIndexes field)`);
}
