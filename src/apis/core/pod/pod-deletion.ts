import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import { stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';

/** Pods are deleted gracefully. */
export const podDeletion: DeletionRules = { returnsObject: true, gracePeriod };

/** Source: kubernetes pkg/registry/core/pod/strategy.go CheckGracefulDelete. */
function gracePeriod(pod: ValueMap, asked: Value | undefined): bigint {
  const own = valueAt(pod, 'spec', 'terminationGracePeriodSeconds');
  const wanted = typeof asked === 'bigint' ? asked : typeof own === 'bigint' ? own : 0n;
  const phase = stringAt(pod, 'status', 'phase');
  if (stringAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0n;
  return wanted < 0n ? 1n : wanted;
}
