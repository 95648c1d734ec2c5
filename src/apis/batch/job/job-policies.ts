import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName, checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import { quote } from '../../../go/quote.js';
import { tooLong, tooMany } from '../../../kubernetes/field-error.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { countIndexes } from './completed-indexes.js';

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

export function checkFailurePolicy(spec: Place): void {
  const rules = at(spec, 'podFailurePolicy', 'rules');
  if (lengthOf(rules) > 20) rules.errors.push(tooMany(rules.path, lengthOf(rules), 20));
  const names = ['containers', 'initContainers'].flatMap(list =>
    itemsAt(spec, 'template', 'spec', list).map(container => textAt(container, 'name')),
  );
  for (const rule of indexed(rules)) {
    const action = at(rule, 'action');
    if (textOf(action) === 'FailIndex') {
      if (!hasSet(spec, 'backoffLimitPerIndex')) addInvalid(action, 'requires the backoffLimitPerIndex to be set');
    } else checkListed(action, failureActions);
    const [codes, conditions] = [at(rule, 'onExitCodes'), at(rule, 'onPodConditions')];
    if (isSet(codes)) checkExitCodes(codes, names);
    checkConditions(conditions);
    const both = isSet(codes) && lengthOf(conditions) > 0;
    const message = both
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required';
    if (both || (!isSet(codes) && lengthOf(conditions) === 0))
      rule.errors.push({ type: 'FieldValueInvalid', field: rule.path, badValue: undefined, detail: message });
  }
}

/** Validates a value that is one of a few, which the error lists even when it is missing. */
function checkListed(place: Place, known: readonly string[]): void {
  if (textOf(place) === '') addRequired(place, `valid values: [${known.map(quote).join(' ')}]`);
  else if (!known.includes(textOf(place))) addUnsupported(place, known);
}

function checkExitCodes(codes: Place, containers: readonly string[]): void {
  const [operator, name, values] = [at(codes, 'operator'), at(codes, 'containerName'), at(codes, 'values')];
  checkListed(operator, ['In', 'NotIn']);
  if (isSet(name) && !containers.includes(textOf(name)))
    addInvalid(name, 'must be one of the container or initContainer names in the pod template');
  if (lengthOf(values) === 0) addInvalid(values, 'at least one value is required', isSet(values) ? { rawJson: '[]' } : null);
  else if (lengthOf(values) > 255) values.errors.push(tooMany(values.path, lengthOf(values), 255));
  const numbers = indexed(values).map(numberOf);
  for (const [index, value] of indexed(values).entries()) {
    if (textOf(operator) === 'In' && numberOf(value) === 0n) addInvalid(value, 'must not be 0 for the In operator');
    if (numbers.indexOf(numberOf(value)) < index) addDuplicate(value);
  }
  if (numbers.some((value, index) => index > 0 && value < (numbers[index - 1] ?? value))) addInvalid(values, 'must be ordered');
}

function checkConditions(conditions: Place): void {
  if (lengthOf(conditions) > 20) conditions.errors.push(tooMany(conditions.path, lengthOf(conditions), 20));
  for (const pattern of indexed(conditions)) {
    checkName(at(pattern, 'type'), text => labelKeyProblems(conditions.server, text));
    checkListed(at(pattern, 'status'), ['False', 'True', 'Unknown']);
  }
}

const maxIndexesLength = 64 * 1024;

export function checkSuccessPolicy(spec: Place): void {
  const policy = at(spec, 'successPolicy');
  if (!isSet(policy)) return;
  if (textAt(spec, 'completionMode') !== 'Indexed') {
    addInvalid(policy, 'requires indexed completion mode', internalValue(spec.server, 'batch/v1.SuccessPolicy', policy.value));
    return;
  }
  const rules = at(policy, 'rules');
  if (lengthOf(rules) === 0) addRequired(rules, 'at least one rules must be specified when the successPolicy is specified');
  if (lengthOf(rules) > 20) rules.errors.push(tooMany(rules.path, lengthOf(rules), 20));
  for (const rule of indexed(rules)) checkSuccessRule(rule, numberAt(spec, 'completions'));
}

/** Source: batch/validation validateSuccessPolicyRule. */
function checkSuccessRule(rule: Place, completions: bigint): void {
  const [count, indexes] = [at(rule, 'succeededCount'), at(rule, 'succeededIndexes')];
  if (!isSet(count) && !isSet(indexes)) addRequired(rule, 'at least one of succeededCount or succeededIndexes must be specified');
  const text = textOf(indexes);
  if (Buffer.byteLength(text) > maxIndexesLength) indexes.errors.push(tooLong(indexes.path, maxIndexesLength));
  const total = countIndexes(text, Number(completions));
  if (typeof total === 'string') addInvalid(indexes, `error parsing succeededIndexes: ${total}`);
  if (!isSet(count)) return;
  checkNonNegative(count);
  if (numberOf(count) > completions)
    addInvalid(count, `must be less than or equal to ${completions} (the number of specified completions)`);
  const listed = typeof total === 'string' ? 0n : total;
  if (isSet(indexes) && numberOf(count) > listed)
    addInvalid(count, `must be less than or equal to ${listed} (the number of indexes in the specified succeededIndexes field)`);
}
