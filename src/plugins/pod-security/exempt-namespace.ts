import { stringAt, type ValueMap } from '../../go/value.js';
import { labelsOf } from '../../kubernetes/label-selector.js';
import { isPrivileged, type LevelVersion, type Policy, printLevelVersion, sameLevelVersion } from './policy.js';

/** Returns the warning about a policy of an exempt namespace; none if it is the default. Source: pod-security-admission exemptNamespaceWarning. */
export function ignoredPolicyWarning(namespace: ValueMap, policy: Policy, defaults: Policy): string[] {
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (isPrivileged(policy) || modes.every(mode => isEquivalent(policy[mode], defaults[mode]))) return [];
  const labels = labelsOf(namespace);
  const isSet = (mode: string): boolean =>
    labels.has(`pod-security.kubernetes.io/${mode}`) || labels.has(`pod-security.kubernetes.io/${mode}-version`);
  const shown = modes.filter(mode => policy[mode].level !== 'privileged' && isSet(mode));
  const text = shown.map(mode => `${mode}=${printLevelVersion(policy[mode])}`).join(', ');
  const name = JSON.stringify(stringAt(namespace, 'metadata', 'name'));
  return [`namespace ${name} is exempt from Pod Security, and the policy (${text}) will be ignored`];
}

function isEquivalent(a: LevelVersion, b: LevelVersion): boolean {
  return (a.level === 'privileged' && b.level === 'privileged') || sameLevelVersion(a, b);
}
