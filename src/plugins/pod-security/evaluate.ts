import type { ApiServer } from '../../kubernetes/api-server.js';
import * as baseline from './baseline-checks.js';
import type { Check, CheckedPod, Violation } from './check.js';
import type { LevelVersion } from './policy.js';
import * as restricted from './restricted-checks.js';

interface Rule {
  readonly level: 'baseline' | 'restricted';
  /** The baseline rule that a restricted one replaces. */
  readonly instead?: Rule;
  /** Check of the rule from a minor version on, oldest first. */
  readonly versions: readonly (readonly [minor: number, check: Check])[];
}

const hostPathVolumes: Rule = { level: 'baseline', versions: [[0, baseline.hostPathVolumes]] };
const capabilities: Rule = { level: 'baseline', versions: [[0, baseline.capabilities]] };
const procMount: Rule = {
  level: 'baseline',
  versions: [
    [0, baseline.procMount],
    [35, baseline.procMountOutsideUserNamespaces],
  ],
};
const seccompProfile: Rule = {
  level: 'baseline',
  versions: [
    [0, baseline.seccompAnnotations],
    [19, baseline.seccompProfile],
  ],
};

/**
 * Rules in the order violations are reported: baseline rules by their upstream id, then restricted ones. Source: pod-security-admission
 * policy/registry.go.
 */
const rules: readonly Rule[] = [
  { level: 'baseline', versions: [[0, baseline.appArmorProfile]] },
  capabilities,
  { level: 'baseline', versions: [[0, baseline.hostNamespaces]] },
  hostPathVolumes,
  { level: 'baseline', versions: [[0, baseline.hostPorts]] },
  { level: 'baseline', versions: [[34, baseline.hostProbes]] },
  { level: 'baseline', versions: [[0, baseline.privilegedCheck]] },
  procMount,
  {
    level: 'baseline',
    versions: [
      [0, baseline.seLinuxOptions],
      [31, baseline.seLinuxOptionsWithEngine],
    ],
  },
  seccompProfile,
  { level: 'baseline', versions: [0, 27, 29, 32, 37].map(minor => [minor, baseline.sysctlsSafeIn(minor)] as const) },
  { level: 'baseline', versions: [[0, baseline.windowsHostProcess]] },
  {
    level: 'restricted',
    versions: [
      [8, restricted.allowPrivilegeEscalation],
      [25, restricted.unlessWindows(restricted.allowPrivilegeEscalation)],
    ],
  },
  {
    level: 'restricted',
    instead: capabilities,
    versions: [
      [22, restricted.restrictedCapabilities],
      [25, restricted.unlessWindows(restricted.restrictedCapabilities)],
    ],
  },
  { level: 'restricted', instead: procMount, versions: [[35, baseline.procMount]] },
  { level: 'restricted', instead: hostPathVolumes, versions: [[0, restricted.restrictedVolumes]] },
  {
    level: 'restricted',
    versions: [
      [0, restricted.runAsNonRoot],
      [35, restricted.unlessUserNamespace(restricted.runAsNonRoot)],
    ],
  },
  {
    level: 'restricted',
    versions: [
      [23, restricted.runAsUser],
      [35, restricted.unlessUserNamespace(restricted.runAsUser)],
    ],
  },
  {
    level: 'restricted',
    instead: seccompProfile,
    versions: [
      [19, restricted.restrictedSeccompProfile],
      [25, restricted.unlessWindows(restricted.restrictedSeccompProfile)],
    ],
  },
];

/** Returns a pod's violations of a level; versions later than the API server's are treated as the API server's. */
export function violationsOf(server: ApiServer, pod: CheckedPod, { level, minor }: LevelVersion): Violation[] {
  if (level === 'privileged') return [];
  const newest = Number(server.minor.slice('v1.'.length));
  const version = minor === 'latest' ? newest : Math.min(minor, newest);
  const active = rules.flatMap(rule => {
    const check = rule.versions.filter(([from]) => from <= version).at(-1)?.[1];
    return check === undefined || (level === 'baseline' && rule.level === 'restricted') ? [] : [{ rule, check }];
  });
  const replaced = new Set(active.map(({ rule }) => rule.instead));
  return active.filter(({ rule }) => !replaced.has(rule)).flatMap(({ check }) => check(pod) ?? []);
}

/** Returns `privileged (container "c" must not ...), hostPort (...)`. */
export function detailsOfEvaluation(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}
