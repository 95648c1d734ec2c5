import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/**
 * Throws a 400 for a stream or log that names no container of a pod with several, or a missing container. Source: kubernetes
 * pkg/registry/core/pod/strategy.go validateContainer.
 */
export function checkContainer(pod: ValueMap, container: string): void {
  const name = stringAt(pod, 'metadata', 'name');
  const names = ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list =>
    listAt(pod, 'spec', list).map(one => stringAt(one, 'name')),
  );
  if (container !== '') {
    if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`);
    return;
  }
  const count = listAt(pod, 'spec', 'containers').length;
  if (count === 0) throw badRequest(`a container name must be specified for pod ${name}`);
  if (count > 1) throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}
