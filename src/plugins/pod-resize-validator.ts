import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { quote } from '../go/quote.js';
import { stringAt, type ValueMap, valueAt } from '../go/value.js';
import { compareQuantities, milliValue, type QuantityLike, quantityValue } from '../kubernetes/quantity.js';
import { StatusError } from '../kubernetes/status.js';
import { readListedObject } from './objects/listed-objects.js';
import { concernsMainObject } from './objects/main-object.js';
import { amountsAt, isPodLevelResource, podResources } from './objects/pod-resources.js';

/** PodResizeValidator: refuses a resize beyond the capacity of the pod's node. Source: kubernetes plugin/pkg/admission/podresize. */
export const podResizeValidator: AdmissionPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    const pod = attributes.object?.value;
    const name = stringAt(pod, 'spec', 'nodeName');
    if (attributes.subresource !== 'resize' || !concernsMainObject(attributes, 'pods.') || pod === undefined || name === '') return;
    if (valueAt(pod, 'metadata', 'generation') === valueAt(attributes.oldObject?.value, 'metadata', 'generation')) return;
    const node = readListedObject(context, { group: '', kind: 'Node' }, { namespace: '', name });
    if (node === undefined) throw admissionRefusal(attributes, `node ${quote(name)} not found`);
    const system = valueAt(node, 'metadata', 'labels', 'kubernetes.io/os') ?? 'linux';
    if (system !== 'linux') {
      const message = `pod resize is only supported on linux nodes, node ${quote(name)} is ${quote(String(system))}`;
      throw refusalBecause(attributes, message, 'UnsupportedPlatform');
    }
    const missing = missingOn(node, pod);
    if (missing.length === 0) return;
    throw refusalBecause(attributes, `node didn't have enough allocatable resources: ${missing.join('; ')}`, 'NodeCapacity');
  },
};

function missingOn(node: ValueMap, pod: ValueMap): string[] {
  const requests = podResources(pod, 'requests', { ofPod: isPodLevelResource, overhead: true });
  const allocatable = amountsAt(node, 'status', 'allocatable');
  const units: readonly (readonly [string, (quantity: QuantityLike) => bigint])[] = [
    ['cpu', milliValue],
    ['memory', quantityValue],
  ];
  return units.flatMap(([name, numberOf]) => {
    const [requested, there] = [requests.get(name) ?? '0', allocatable.get(name) ?? '0'];
    return compareQuantities(requested, there) > 0 ? [`${name}, requested: ${numberOf(requested)}, allocatable: ${numberOf(there)}`] : [];
  });
}

function refusalBecause(attributes: Attributes, message: string, reason: string): StatusError {
  const { status } = admissionRefusal(attributes, message);
  return new StatusError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}
