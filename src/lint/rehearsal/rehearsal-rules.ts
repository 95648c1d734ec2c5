import type { LintRule } from '../rule.js';
import type { RehearsalProblem } from './problem.js';

/** Rules of `--rehearse`. */
export const rehearsalRules: readonly (Pick<LintRule, 'severity' | 'reason' | 'fix'> & { readonly id: RehearsalProblem['rule'] })[] = [
  {
    id: 'stuck-on-install',
    severity: 'warning',
    reason: 'trying again does not help: the pods of the webhook need an answer of the webhook',
    fix: 'exclude the namespace of the workload with a namespaceSelector on kubernetes.io/metadata.name: NotIn; or create the configuration when the pods are ready',
  },
  {
    id: 'hangs-on-removal',
    severity: 'warning',
    reason: 'what is being deleted waits for something that is no longer there',
    fix: 'delete the configuration first',
  },
  {
    id: 'left-behind',
    severity: 'warning',
    reason: 'a configuration is cluster-scoped: it remains when the namespace of its webhook is deleted, and nothing answers it',
    fix: 'delete the configuration first, or exclude other namespaces with a namespaceSelector',
  },
  {
    id: 'refused-at-first',
    severity: 'info',
    reason: 'pods are not ready at once: the call succeeds when it is made again later',
    fix: 'wait for the workload (kubectl wait --for=condition=Available) before the objects that its webhook is asked about, or apply again',
  },
];
