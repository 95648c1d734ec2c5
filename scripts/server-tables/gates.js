import { sortedMembers } from '../sorted-members.js';

/** For each feature gate in the metrics of an API server: whether it is enabled, and its stage. */
export function gatesIn(metrics) {
  const lines = metrics.matchAll(/^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} (\d)/gm);
  const gates = [...lines].map(([, name, stage, value]) => [name, [value === '1', stage === '' ? 'GA' : stage]]);
  return sortedMembers(Object.fromEntries(gates));
}
