import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';

/**
 * Validates that terminated containers do not run again, unless their rules restart them. Source: core/validation
 * ValidateContainerStateTransition and related functions.
 */
export function checkRestarts(pod: FieldPath, old: FieldPath): void {
  const spec = old.child('spec');
  for (const [statuses, containers] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
  ] as const) {
    if (restartsAll(spec)) continue;
    const restarts = (name: string, exitCode: bigint): boolean => {
      const own = spec.items(containers).find(c => c.text('name') === name);
      return own !== undefined && restartsAfter(own, spec, exitCode);
    };
    checkStates(pod.child('status', statuses), old.child('status', statuses), restarts);
  }
  const ephemeral = 'ephemeralContainerStatuses';
  checkStates(pod.child('status', ephemeral), old.child('status', ephemeral), () => false);
}

function checkStates(statuses: FieldPath, before: FieldPath, restarts: (name: string, exitCode: bigint) => boolean): void {
  for (const [index, stored] of before.items().entries()) {
    const ended = stored.child('state', 'terminated');
    if (!ended.isSet()) continue;
    const name = stored.text('name');
    const now = statuses.items().find(status => status.text('name') === name && !status.child('state').has('terminated'));
    if (now !== undefined && !restarts(name, ended.number('exitCode')))
      statuses.index(index).child('state').forbidden('may not be transitioned to non-terminated state');
  }
}

/** Reports whether a container's rule can restart all of them. Source: pkg/api/v1/pod AllContainersCouldRestart. */
function restartsAll(spec: FieldPath): boolean {
  return [...spec.items('initContainers'), ...spec.items('containers')].some(container =>
    container.items('restartPolicyRules').some(rule => rule.text('action') === 'RestartAllContainers'),
  );
}

/** Source: pkg/api/v1/pod ContainerShouldRestart. */
function restartsAfter(container: FieldPath, spec: FieldPath, exitCode: bigint): boolean {
  const own = container.child('restartPolicy');
  if (own.isSet()) {
    if (container.items('restartPolicyRules').some(rule => rule.text('action') === 'Restart' && matches(rule, exitCode))) return true;
    const decided = byPolicy(own.text(), exitCode);
    if (decided !== undefined) return decided;
  }
  return byPolicy(spec.text('restartPolicy'), exitCode) ?? true;
}

function matches(rule: FieldPath, exitCode: bigint): boolean {
  const codes = rule.child('exitCodes');
  if (!codes.isSet()) return false;
  const listed = codes
    .child('values')
    .items()
    .some(value => value.value === exitCode);
  return codes.text('operator') === 'In' ? listed : codes.text('operator') === 'NotIn' && !listed;
}

function byPolicy(policy: string, exitCode: bigint): boolean | undefined {
  if (policy === 'Always') return true;
  if (policy === 'OnFailure') return exitCode !== 0n;
  return policy === 'Never' ? false : undefined;
}
