import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, mapAt, stringAt, type ValueMap } from '../../../go/value.js';

/**
 * Strategy of jobs: a job selects its pods by its own uid, unless that is disabled. Source: kubernetes pkg/registry/batch/job/strategy.go.
 */
export const job: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    if (mapAt(object, 'spec')?.get('manualSelector') !== true) generateSelector(object);
  },
});

function generateSelector(object: ValueMap): void {
  const spec = ensureMap(object, 'spec');
  const name = stringAt(object, 'metadata', 'name');
  const uid = stringAt(object, 'metadata', 'uid');
  const labels = ensureMap(ensureMap(ensureMap(spec, 'template'), 'metadata'), 'labels');
  const wanted = {
    'batch.kubernetes.io/job-name': name,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'controller-uid': uid,
  };
  for (const [key, value] of Object.entries(wanted)) if (!labels.has(key)) labels.set(key, value);
  const selected = ensureMap(ensureMap(spec, 'selector'), 'matchLabels');
  if (!selected.has('batch.kubernetes.io/controller-uid')) selected.set('batch.kubernetes.io/controller-uid', uid);
}
