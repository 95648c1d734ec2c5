import {
  addForbidden,
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  numberAt,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';

/**
 * Validates that terminated containers do not run again, unless their rules restart them. Source: core/validation
 * ValidateContainerStateTransition and related functions.
 */
export function checkRestarts(pod: Place, old: Place): void {
  const spec = at(old, 'spec');
  for (const [statuses, containers] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
  ] as const) {
    if (restartsAll(spec)) continue;
    const restarts = (name: string, exitCode: bigint): boolean => {
      const own = itemsAt(spec, containers).find(c => textAt(c, 'name') === name);
      return own !== undefined && restartsAfter(own, spec, exitCode);
    };
    checkStates(at(pod, 'status', statuses), at(old, 'status', statuses), restarts);
  }
  const ephemeral = 'ephemeralContainerStatuses';
  checkStates(at(pod, 'status', ephemeral), at(old, 'status', ephemeral), () => false);
}

function checkStates(statuses: Place, before: Place, restarts: (name: string, exitCode: bigint) => boolean): void {
  for (const [index, stored] of indexed(before).entries()) {
    const ended = at(stored, 'state', 'terminated');
    if (!isSet(ended)) continue;
    const name = textAt(stored, 'name');
    const now = indexed(statuses).find(status => textAt(status, 'name') === name && !hasSet(at(status, 'state'), 'terminated'));
    if (now !== undefined && !restarts(name, numberAt(ended, 'exitCode')))
      addForbidden({ ...statuses, path: `${statuses.path}[${index}].state` }, 'may not be transitioned to non-terminated state');
  }
}

/** Reports whether a container's rule can restart all of them. Source: pkg/api/v1/pod AllContainersCouldRestart. */
function restartsAll(spec: Place): boolean {
  return [...itemsAt(spec, 'initContainers'), ...itemsAt(spec, 'containers')].some(container =>
    itemsAt(container, 'restartPolicyRules').some(rule => textAt(rule, 'action') === 'RestartAllContainers'),
  );
}

/** Source: pkg/api/v1/pod ContainerShouldRestart. */
function restartsAfter(container: Place, spec: Place, exitCode: bigint): boolean {
  const own = at(container, 'restartPolicy');
  if (isSet(own)) {
    if (itemsAt(container, 'restartPolicyRules').some(rule => textAt(rule, 'action') === 'Restart' && matches(rule, exitCode))) return true;
    const decided = byPolicy(textOf(own), exitCode);
    if (decided !== undefined) return decided;
  }
  return byPolicy(textAt(spec, 'restartPolicy'), exitCode) ?? true;
}

function matches(rule: Place, exitCode: bigint): boolean {
  const codes = at(rule, 'exitCodes');
  if (!isSet(codes)) return false;
  const listed = indexed(at(codes, 'values')).some(value => value.value === exitCode);
  return textAt(codes, 'operator') === 'In' ? listed : textAt(codes, 'operator') === 'NotIn' && !listed;
}

function byPolicy(policy: string, exitCode: bigint): boolean | undefined {
  if (policy === 'Always') return true;
  if (policy === 'OnFailure') return exitCode !== 0n;
  return policy === 'Never' ? false : undefined;
}
