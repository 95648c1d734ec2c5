import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import type { UpdateStep } from '../../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  at,
  hasSet,
  itemsAt,
  lengthOf,
  mapOf,
  type Place,
  textAt,
} from '../../../../apiserver/registry/validation/place.js';
import { copyOf, ensureMap, isMap, mapAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import { amountCount } from '../validation/container-resources.js';
import { checkPod } from '../validation/pod-validation.js';
import { computedQosClass, qosClassOf } from '../validation/qos-class.js';

/** Source: core/validation ValidatePodResize. */
export const resize: readonly UpdateStep[] = ['changes', 'metadata', checkPod, checkResize];

/** Reports whether it is a static pod, which a kubelet reads from a file. */
export function isStatic(pod: Place): boolean {
  return mapOf(at(pod, 'metadata', 'annotations')).has('kubernetes.io/config.mirror');
}

function checkResize(pod: Place, old: Place): void {
  const hasPodLevel = [pod, old].some(each => amountCount(at(each, 'spec', 'resources')) > 0);
  const isPodLevelOff = hasPodLevel && !pod.server.isEnabled('InPlacePodLevelResourcesVerticalScaling');
  const never =
    isPodLevelOff && !pod.server.since('v1.35')
      ? 'pods with pod-level resources cannot be resized'
      : isStatic(old)
        ? 'static pods cannot be resized'
        : textAt(old, 'spec', 'os', 'name') === 'windows'
          ? 'windows pods cannot be resized'
          : undefined;
  if (never !== undefined) {
    pod.errors.length = 0;
    addForbidden({ ...pod, path: '[]' }, never);
    return;
  }
  const spec = at(pod, 'spec');
  if (qosClassOf(spec.server, mapOf(old)) !== computedQosClass(spec.server, mapOf(spec)))
    addInvalid(spec, 'Pod QOS Class may not change as a result of resizing', textAt(pod, 'status', 'qosClass'));
  if (!spec.server.since('v1.38') && !nodeResizes(old)) addForbidden(spec, 'Pod running on node without support for resize');
  if (isPodLevelOff) {
    const gate = 'InPlacePodLevelResourcesVerticalScalingEnabled';
    addForbidden({ ...pod, path: '[]' }, `resize of pods with pod-level resources is forbidden when ${gate} feature gate is disabled`);
    return;
  }
  const compared = copyOf(mapOf(spec));
  checkPodLevel(spec, at(old, 'spec'), compared);
  if (lengthOf(at(old, 'status', 'nodeAllocatableResourceClaimStatuses')) > 0)
    addForbidden(spec, 'pods with node allocatable resource claims cannot be resized');
  const before = pod.errors.length;
  checkOrder(spec, at(old, 'spec'));
  if (pod.errors.length === before) checkContainers(spec, at(old, 'spec'), compared);
}

/** Reports whether the node supports resizing, by the status of a running container. Source: isPodResizeRequestSupported. */
function nodeResizes(pod: Place): boolean {
  const running = itemsAt(pod, 'status', 'containerStatuses').find(status => hasSet(at(status, 'state'), 'running'));
  return running === undefined || hasSet(running, 'resources');
}

/** Source: validatePodLevelResourcesResize. */
function checkPodLevel(spec: Place, old: Place, compared: ValueMap): void {
  const [now, before] = [at(spec, 'resources'), at(old, 'resources')];
  if ([now, before].every(place => lengthOf(at(place, 'requests')) + lengthOf(at(place, 'limits')) === 0)) return;
  if (isMap(before.value) && !isMap(now.value)) {
    addForbidden(now, 'pod-level resources cannot be removed');
    return;
  }
  if (isMap(before.value)) checkNoneRemoved(now, before, 'pod-level resource');
  const resources = withStoredAmounts(spec.server, mapOf(now), mapOf(before));
  // Resources that the pod did not have are allowed if only these amounts are set.
  if (!isMap(before.value) && ['requests', 'limits', 'claims'].every(list => lengthOf({ ...now, value: resources.get(list) }) === 0)) {
    compared.delete('resources');
    return;
  }
  if (!same(spec.server, 'core/v1.ResourceRequirements', resources, mapOf(before)))
    addForbidden(spec, 'only cpu and memory resources are mutable at pod-level');
  if (resources.size > 0) compared.set('resources', resources);
}

function checkNoneRemoved(now: Place, before: Place, what: string): void {
  for (const list of ['requests', 'limits']) {
    const names = mapOf(at(now, list));
    if ([...mapOf(at(before, list)).keys()].some(name => !names.has(name)))
      addForbidden(at(now, list), `${what} ${list} cannot be removed`);
  }
}

/** Source: validatePodResizeContainerOrdering. */
function checkOrder(spec: Place, old: Place): void {
  for (const list of ['containers', 'initContainers']) {
    const [now, before] = [itemsAt(spec, list), itemsAt(old, list)];
    if (now.length !== before.length) {
      addForbidden(at(spec, list), `${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, container] of now.entries())
      if (textAt(container, 'name') !== textAt(before[index] ?? container, 'name'))
        addForbidden(at(container, 'name'), `${list} may not be renamed or reordered on resize`);
  }
}

/** Validates that only cpu and memory change, and of init containers only those of sidecars. */
function checkContainers(spec: Place, old: Place, compared: ValueMap): void {
  const pairs = (list: string): (readonly [Place, Place])[] =>
    itemsAt(spec, list).map((container, index) => [container, itemsAt(old, list)[index] ?? container] as const);
  const restartable = (container: Place): boolean => textAt(container, 'restartPolicy') === 'Always';
  const canResize = (container: Place): boolean =>
    restartable(container) || container.server.isEnabled('InPlacePodVerticalScalingInitContainers');
  for (const [container, before] of [...pairs('initContainers').filter(([, stored]) => canResize(stored)), ...pairs('containers')])
    checkNoneRemoved(at(container, 'resources'), at(before, 'resources'), 'resource');
  compared.set(
    'containers',
    pairs('containers').map(([container, before]) => {
      const kept = withoutResize(container, before);
      if (!same(spec.server, 'core/v1.Container', kept, mapOf(before))) addForbidden(spec, 'only cpu and memory resources are mutable');
      return kept;
    }),
  );
  const initial = pairs('initContainers').map(([container, before]) => {
    const kept = canResize(container) ? withoutResize(container, before) : mapOf(container);
    const isChanged = !same(spec.server, 'core/v1.Container', mapOf(container), mapOf(before));
    if (canResize(container) && !restartable(container) && isChanged) checkResizePolicies(container, spec);
    if (same(spec.server, 'core/v1.Container', kept, mapOf(before))) return kept;
    if (canResize(container) && !spec.server.since('v1.36'))
      addForbidden(spec, 'only cpu and memory resources for sidecar containers are mutable');
    else if (canResize(container))
      addForbidden({ ...spec, path: container.path }, 'only cpu and memory resources for init or sidecar containers are mutable');
    else addForbidden(spec, 'resources for non-sidecar init containers are immutable');
    return kept;
  });
  if (initial.length > 0) compared.set('initContainers', initial);
  if (spec.errors.length === 0 && !same(spec.server, 'core/v1.PodSpec', compared, mapOf(old)))
    addForbidden(spec, 'only cpu and memory resources are mutable');
}

function checkResizePolicies(container: Place, spec: Place): void {
  for (const policy of itemsAt(container, 'resizePolicy'))
    if (textAt(policy, 'restartPolicy') === 'RestartContainer')
      addForbidden(
        { ...spec, path: container.path },
        'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
      );
}

/** Returns the container with the stored amounts of cpu and memory; up to v1.36 without claims. Source: dropCPUMemoryResourcesFromContainer. */
function withoutResize(container: Place, before: Place): ValueMap {
  const kept = copyOf(mapOf(container));
  const resources = withStoredAmounts(container.server, mapOf(at(container, 'resources')), mapOf(at(before, 'resources')));
  if (container.server.until('v1.36')) resources.delete('claims');
  kept.set('resources', resources);
  return kept;
}

function withStoredAmounts(server: ApiServer, resources: ValueMap, stored: ValueMap): ValueMap {
  const kept = copyOf(resources);
  for (const list of ['requests', 'limits']) {
    // Up to v1.34, a list that the stored container lacks is not compared.
    if (server.until('v1.34') && mapAt(stored, list) === undefined) kept.delete(list);
    for (const name of ['cpu', 'memory']) {
      const amount = mapAt(stored, list)?.get(name);
      if (amount !== undefined) ensureMap(kept, list).set(name, amount);
      else mapAt(kept, list)?.delete(name);
    }
  }
  return kept;
}

function same(server: ApiServer, type: string, a: Value, b: Value): boolean {
  return semanticallyEqualAs(structNamed(server, type), a, b);
}
