import {
  addForbidden,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  lengthOf,
  type Place,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkKnown } from '../../../../apiserver/registry/validation/rules.js';
import { tooLong, tooMany } from '../../../../kubernetes/field-error.js';

/** Validates a container's own restart policy. Source: validateContainerRestartPolicy. */
export function checkContainerRestart(container: Place): void {
  const [policy, rules] = [at(container, 'restartPolicy'), at(container, 'restartPolicyRules')];
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (isSet(policy)) addForbidden(policy, 'may not be set for non-init containers');
    return;
  }
  if (isSet(policy)) checkKnown(policy, ['Always', 'Never', 'OnFailure']);
  else if (lengthOf(rules) > 0) addRequired(policy, 'must specify restartPolicy when restart rules are used');
  checkRules(rules);
}

/** Source: validateInitContainerRestartPolicy. */
export function checkInitContainerRestart(container: Place): void {
  const [policy, rules] = [at(container, 'restartPolicy'), at(container, 'restartPolicyRules')];
  if (!isSet(policy)) {
    if (lengthOf(rules) > 0 && container.server.since('v1.35'))
      addRequired(policy, 'must specify restartPolicy when restart rules are used');
    return;
  }
  if (!container.server.isEnabled('ContainerRestartRules')) {
    if (textOf(policy) !== 'Always') addUnsupported(policy, ['Always']);
  } else if (textOf(policy) !== 'Always' || container.server.isEnabled('RestartAllContainersOnContainerExits'))
    checkContainerRestart(container);
  else if (lengthOf(rules) > 0) addForbidden(rules, 'restartPolicyRules are not allowed for init containers with restart policy Always');
}

function checkRules(rules: Place): void {
  if (lengthOf(rules) > 20) addTooMany(rules, 20);
  const actions = rules.server.isEnabled('RestartAllContainersOnContainerExits') ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  for (const rule of indexed(rules)) {
    const action = at(rule, 'action');
    // v1.35 lists one action regardless of the gate.
    if (!actions.includes(textOf(action))) addUnsupported(action, rules.server.since('v1.36') ? actions : ['Restart']);
    const codes = at(rule, 'exitCodes');
    if (!isSet(codes)) {
      addRequired(codes, 'must be specified');
      continue;
    }
    const [operator, values] = [at(codes, 'operator'), at(codes, 'values')];
    if (!['In', 'NotIn'].includes(textOf(operator))) addUnsupported(operator, ['In', 'NotIn']);
    if (lengthOf(values) > 255) addTooMany(values, 255);
  }
}

function addTooMany(list: Place, max: number): void {
  list.errors.push(list.server.since('v1.36') ? tooMany(list.path, lengthOf(list), max) : tooLong(list.path, max));
}
