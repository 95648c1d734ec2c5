import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import type { UpdateStep } from '../../../../apiserver/registry/validation/kind-rules.js';
import { copyOf, ensureMap, isMap, mapAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import { amountCount } from '../validation/container-resources.js';
import { checkPod } from '../validation/pod-validation.js';
import { computedQosClass, qosClassOf } from '../validation/qos-class.js';

/** Source: core/validation ValidatePodResize. */
export const resize: readonly UpdateStep[] = ['changes', 'metadata', checkPod, checkResize];

/** Reports whether it is a static pod, which a kubelet reads from a file. */
export function isStatic(pod: FieldPath): boolean {
  return pod.child('metadata', 'annotations').members().has('kubernetes.io/config.mirror');
}

function checkResize(pod: FieldPath, old: FieldPath): void {
  const hasPodLevel = [pod, old].some(each => amountCount(each.child('spec', 'resources')) > 0);
  const isPodLevelOff = hasPodLevel && !pod.server.isEnabled('InPlacePodLevelResourcesVerticalScaling');
  const never =
    isPodLevelOff && !pod.server.since('v1.35')
      ? 'pods with pod-level resources cannot be resized'
      : isStatic(old)
        ? 'static pods cannot be resized'
        : old.text('spec', 'os', 'name') === 'windows'
          ? 'windows pods cannot be resized'
          : undefined;
  if (never !== undefined) {
    pod.errors.length = 0;
    pod.shownAt('[]').forbidden(never);
    return;
  }
  const spec = pod.child('spec');
  if (qosClassOf(spec.server, old.members()) !== computedQosClass(spec.server, spec.members()))
    spec.invalid(pod.text('status', 'qosClass'), 'Pod QOS Class may not change as a result of resizing');
  if (!spec.server.since('v1.38') && !nodeResizes(old)) spec.forbidden('Pod running on node without support for resize');
  if (isPodLevelOff) {
    const gate = 'InPlacePodLevelResourcesVerticalScalingEnabled';
    pod.shownAt('[]').forbidden(`resize of pods with pod-level resources is forbidden when ${gate} feature gate is disabled`);
    return;
  }
  const compared = copyOf(spec.members());
  checkPodLevel(spec, old.child('spec'), compared);
  if (old.child('status', 'nodeAllocatableResourceClaimStatuses').length() > 0)
    spec.forbidden('pods with node allocatable resource claims cannot be resized');
  const before = pod.errors.length;
  checkOrder(spec, old.child('spec'));
  if (pod.errors.length === before) checkContainers(spec, old.child('spec'), compared);
}

/** Reports whether the node supports resizing, by the status of a running container. Source: isPodResizeRequestSupported. */
function nodeResizes(pod: FieldPath): boolean {
  const running = pod.items('status', 'containerStatuses').find(status => status.child('state').has('running'));
  return running === undefined || running.has('resources');
}

/** Source: validatePodLevelResourcesResize. */
function checkPodLevel(spec: FieldPath, old: FieldPath, compared: ValueMap): void {
  const [now, before] = [spec.child('resources'), old.child('resources')];
  if ([now, before].every(field => field.child('requests').length() + field.child('limits').length() === 0)) return;
  if (isMap(before.value) && !isMap(now.value)) {
    now.forbidden('pod-level resources cannot be removed');
    return;
  }
  if (isMap(before.value)) checkNoneRemoved(now, before, 'pod-level resource');
  const resources = withStoredAmounts(spec.server, now.members(), before.members());
  // Resources that the pod did not have are allowed if only these amounts are set.
  if (!isMap(before.value) && ['requests', 'limits', 'claims'].every(list => now.withValue(resources.get(list)).length() === 0)) {
    compared.delete('resources');
    return;
  }
  if (!same(spec.server, 'core/v1.ResourceRequirements', resources, before.members()))
    spec.forbidden('only cpu and memory resources are mutable at pod-level');
  if (resources.size > 0) compared.set('resources', resources);
}

function checkNoneRemoved(now: FieldPath, before: FieldPath, what: string): void {
  for (const list of ['requests', 'limits']) {
    const names = now.child(list).members();
    if ([...before.child(list).members().keys()].some(name => !names.has(name)))
      now.child(list).forbidden(`${what} ${list} cannot be removed`);
  }
}

/** Source: validatePodResizeContainerOrdering. */
function checkOrder(spec: FieldPath, old: FieldPath): void {
  for (const list of ['containers', 'initContainers']) {
    const [now, before] = [spec.items(list), old.items(list)];
    if (now.length !== before.length) {
      spec.child(list).forbidden(`${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, container] of now.entries())
      if (container.text('name') !== (before[index] ?? container).text('name'))
        container.child('name').forbidden(`${list} may not be renamed or reordered on resize`);
  }
}

/** Validates that only cpu and memory change, and of init containers only those of sidecars. */
function checkContainers(spec: FieldPath, old: FieldPath, compared: ValueMap): void {
  const pairs = (list: string): (readonly [FieldPath, FieldPath])[] =>
    spec.items(list).map((container, index) => [container, old.items(list)[index] ?? container] as const);
  const restartable = (container: FieldPath): boolean => container.text('restartPolicy') === 'Always';
  const canResize = (container: FieldPath): boolean =>
    restartable(container) || container.server.isEnabled('InPlacePodVerticalScalingInitContainers');
  for (const [container, before] of [...pairs('initContainers').filter(([, stored]) => canResize(stored)), ...pairs('containers')])
    checkNoneRemoved(container.child('resources'), before.child('resources'), 'resource');
  compared.set(
    'containers',
    pairs('containers').map(([container, before]) => {
      const kept = withoutResize(container, before);
      if (!same(spec.server, 'core/v1.Container', kept, before.members())) spec.forbidden('only cpu and memory resources are mutable');
      return kept;
    }),
  );
  const initial = pairs('initContainers').map(([container, before]) => {
    const kept = canResize(container) ? withoutResize(container, before) : container.members();
    const isChanged = !same(spec.server, 'core/v1.Container', container.members(), before.members());
    if (canResize(container) && !restartable(container) && isChanged) checkResizePolicies(container, spec);
    if (same(spec.server, 'core/v1.Container', kept, before.members())) return kept;
    if (canResize(container) && !spec.server.since('v1.36'))
      spec.forbidden('only cpu and memory resources for sidecar containers are mutable');
    else if (canResize(container))
      spec.shownAt(container.path).forbidden('only cpu and memory resources for init or sidecar containers are mutable');
    else spec.forbidden('resources for non-sidecar init containers are immutable');
    return kept;
  });
  if (initial.length > 0) compared.set('initContainers', initial);
  if (spec.errors.length === 0 && !same(spec.server, 'core/v1.PodSpec', compared, old.members()))
    spec.forbidden('only cpu and memory resources are mutable');
}

function checkResizePolicies(container: FieldPath, spec: FieldPath): void {
  for (const policy of container.items('resizePolicy'))
    if (policy.text('restartPolicy') === 'RestartContainer')
      spec.shownAt(container.path).forbidden('non-sidecar init containers with a resize policy of RestartContainer cannot be resized');
}

/** Returns the container with the stored amounts of cpu and memory; up to v1.36 without claims. Source: dropCPUMemoryResourcesFromContainer. */
function withoutResize(container: FieldPath, before: FieldPath): ValueMap {
  const kept = copyOf(container.members());
  const resources = withStoredAmounts(container.server, container.child('resources').members(), before.child('resources').members());
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
