import { compareKeys } from '../go/json/write.js';
import { ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { storageOf } from '../kubernetes/storage.js';
import { type CreatedObject, nameOfCreated, podFromTemplate, setLabel, templateOf } from './created-object.js';
import { templateHash } from './template-hash.js';

/** Returns the pod of a new daemon set for one node. Source: pkg/controller/daemon/daemon_controller.go syncNodes. */
export function podOfDaemonSet(set: ValueMap, state: ClusterState): CreatedObject {
  const template = templateOf(set);
  const hash = templateHash(state.server, template);
  const { node, note } = nodeFor(set, state);
  const generation = stringAt(set, 'metadata', 'annotations', 'deprecated.daemonset.template.generation');
  if (generation !== '') setLabel(template, 'pod-template-generation', generation);
  setLabel(template, 'controller-revision-hash', hash);
  const spec = ensureMap(template, 'spec');
  tolerate(spec);
  bindTo(ensureMap(spec, 'affinity'), node);
  return { controller: 'daemon-set-controller', object: podFromTemplate(set, template), notes: [note] };
}

/** Returns a node that matches the node selector; taints and affinities are not evaluated. The node is only in the pod's affinity. */
function nodeFor(set: ValueMap, state: ClusterState): { readonly node: string; readonly note: string } {
  const wanted = mapAt(set, 'spec', 'template', 'spec', 'nodeSelector') ?? new Map<string, Value>();
  const nodes = storageOf(state).list({ group: '', kind: 'Node' });
  const names = nodes
    .filter(node => [...wanted].every(([key, value]) => stringAt(node, 'metadata', 'labels', key) === value))
    .map(nameOfCreated)
    .sort(compareKeys);
  const [first] = names;
  if (first !== undefined)
    return { node: first, note: `DaemonSet ${nameOfCreated(set)} has a pod on each eligible node: the one on ${first} is shown` };
  return {
    node: 'node-1',
    note: `DaemonSet ${nameOfCreated(set)} has a pod on each eligible node: the state has none, so node-1 is assumed`,
  };
}

interface Taint {
  readonly key: string;
  readonly effect: string;
}

/** Source: pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations. */
const tolerated: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
];
const toleratedOnHostNetwork: Taint = { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' };

/**
 * Adds the tolerations; one for the same taint with a duration is replaced. Source: pkg/apis/core/v1/helper/helpers.go
 * AddOrUpdateTolerationInPodSpec.
 */
function tolerate(spec: ValueMap): void {
  const tolerations = [...listAt(spec, 'tolerations')];
  for (const { key, effect } of spec.get('hostNetwork') === true ? [...tolerated, toleratedOnHostNetwork] : tolerated) {
    const wanted = toValue({ key, operator: 'Exists', effect });
    const same = tolerations.findIndex(other => isSameTaint(other, wanted));
    if (same < 0) tolerations.push(wanted);
    else tolerations[same] = wanted;
  }
  spec.set('tolerations', tolerations);
}

function isSameTaint(a: Value, b: Value): boolean {
  return ['key', 'effect', 'operator', 'value'].every(field => stringAt(a, field) === stringAt(b, field));
}

/**
 * Replaces the node affinity of the template, which the controller has already evaluated. Source: ReplaceDaemonSetPodNodeNameNodeAffinity.
 */
function bindTo(affinity: ValueMap, node: string): void {
  const terms = toValue([{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }]);
  ensureMap(ensureMap(affinity, 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution').set('nodeSelectorTerms', terms);
}
