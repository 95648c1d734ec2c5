import { listAt, mapAt, stringAt, type ValueMap, valueAt } from '../go/value.js';
import { labelsOf } from '../kubernetes/label-selector.js';
import type { Storage } from '../kubernetes/storage.js';

/** Returns the workload of the files whose pods a Service selects; undefined if there is none. */
export function workloadOf(storage: Storage, service: ValueMap | undefined): ValueMap | undefined {
  const selector = mapAt(service, 'spec', 'selector');
  if (selector === undefined) return undefined;
  const namespace = stringAt(service, 'metadata', 'namespace');
  const workloads = ['Deployment', 'StatefulSet', 'DaemonSet'].flatMap(kind => storage.list({ group: 'apps', kind }, namespace));
  return workloads.find(workload => {
    const labels = labelsOf(valueAt(workload, 'spec', 'template'));
    const hasContainers = listAt(workload, 'spec', 'template', 'spec', 'containers').length > 0;
    return hasContainers && [...selector].every(([key, value]) => labels.get(key) === value);
  });
}
