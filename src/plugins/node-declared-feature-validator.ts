import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { quote } from '../go/quote.js';
import { listAt, mapAt, sameValue, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import { addNote } from '../kubernetes/call-notes.js';
import { listedObjects, readListedObject } from './objects/listed-objects.js';
import { concernsMainObject } from './objects/main-object.js';

const name = 'NodeDeclaredFeatureValidator';

/**
 * NodeDeclaredFeatureValidator: refuses a change of a pod that requires a feature that its node does not declare. Source: kubernetes
 * plugin/pkg/admission/nodedeclaredfeatures.
 */
export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name,
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, context) => {
    if (concernsMainObject(attributes, 'resourceslices.resource.k8s.io')) checkSlice(attributes, context);
    const [pod, old] = [attributes.object?.value, attributes.oldObject?.value];
    if (
      !context.server.isEnabled('NodeDeclaredFeatures') ||
      !['', 'resize'].includes(attributes.subresource) ||
      !concernsMainObject(attributes, 'pods.')
    )
      return;
    const node = stringAt(pod, 'spec', 'nodeName');
    if (pod === undefined || old === undefined || node === '') return;
    if (valueAt(pod, 'metadata', 'generation') === valueAt(old, 'metadata', 'generation')) return;
    if (!context.server.since('v1.36')) {
      addNote(context.record, `admission plugin ${name} is not reproduced: its decision on this call is missing`);
      return;
    }
    const required = requiredFeatures(pod, old);
    if (required.length === 0) return;
    const found = readListedObject(context, { group: '', kind: 'Node' }, { namespace: '', name: node });
    if (found === undefined) throw admissionRefusal(attributes, `node ${quote(node)} not found`);
    const declared = listAt(found, 'status', 'declaredFeatures');
    const missing = required.filter(feature => !declared.includes(feature));
    if (missing.length === 0) return;
    const message = `pod update requires features ${missing.join(', ')} which are not available on node ${quote(node)}`;
    throw admissionRefusal(attributes, message);
  },
};

/** Since v1.37: nodes of devices that use resources of the node must declare the feature. Source: the same plugin, validateNodeAllocatableDRA. */
function checkSlice(attributes: Attributes, context: AdmissionContext): void {
  const spec = mapAt(attributes.object?.value, 'spec');
  if (!context.server.since('v1.37') || !context.server.isEnabled(nodeResources) || attributes.subresource !== '') return;
  for (const device of listAt(spec, 'devices')) {
    const parts = mapAt(device, 'basic') ?? device;
    if ((mapAt(parts, 'nodeAllocatableResources')?.size ?? 0) === 0) continue;
    const quoted = quote(stringAt(device, 'name'));
    const chosen = valueAt(spec, 'perDeviceNodeSelection') === true ? parts : spec;
    const nodeName = stringAt(chosen, 'nodeName');
    if (nodeName !== '') {
      const found = readListedObject(context, node, { namespace: '', name: nodeName });
      if (found === undefined) throw admissionRefusal(attributes, `node ${quote(nodeName)} not found for device ${quoted}`);
      checkDeclared(attributes, found);
      continue;
    }
    const selector = mapAt(chosen, 'nodeSelector');
    if (selector === undefined && valueAt(chosen, 'allNodes') !== true)
      throw admissionRefusal(attributes, `device ${quoted} in ResourceSlice has NodeAllocatableResources but does not map to any nodes`);
    for (const each of listedObjects(context, node))
      if (selector === undefined || isSelected(each, selector)) checkDeclared(attributes, each);
  }
}

const node = { group: '', kind: 'Node' };
const nodeResources = 'DRANodeAllocatableResources';

function checkDeclared(attributes: Attributes, found: ValueMap): void {
  if (listAt(found, 'status', 'declaredFeatures').includes(nodeResources)) return;
  throw admissionRefusal(attributes, `node ${quote(stringAt(found, 'metadata', 'name'))} does not support ${nodeResources} feature`);
}

/** Source: component-helpers scheduling/corev1/nodeaffinity. */
function isSelected(found: ValueMap, selector: ValueMap): boolean {
  return listAt(selector, 'nodeSelectorTerms').some(term => {
    const [labels, fields] = [listAt(term, 'matchExpressions'), listAt(term, 'matchFields')];
    if (labels.length + fields.length === 0) return false;
    const name = new Map<string, Value>([['metadata.name', stringAt(found, 'metadata', 'name')]]);
    const own = mapAt(found, 'metadata', 'labels') ?? new Map<string, Value>();
    return labels.every(one => meets(own, one)) && fields.every(one => meets(name, one));
  });
}

function meets(labels: ValueMap, requirement: Value): boolean {
  const value = labels.get(stringAt(requirement, 'key'));
  const values = listAt(requirement, 'values');
  switch (stringAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    default:
      return Number(value) < Number(values[0]);
  }
}

/** Returns the features that a change requires, sorted. Source: component-helpers nodedeclaredfeatures/features. */
function requiredFeatures(pod: ValueMap, old: ValueMap): string[] {
  const resizesPod = !sameMembers(mapAt(pod, 'spec', 'resources'), mapAt(old, 'spec', 'resources'));
  const containers = listAt(pod, 'spec', 'initContainers');
  const resizesInit = listAt(old, 'spec', 'initContainers').some(
    (container, i) =>
      stringAt(container, 'restartPolicy') !== 'Always' && !sameMembers(mapAt(container, 'resources'), mapAt(containers[i], 'resources')),
  );
  return [
    ...(resizesPod ? ['InPlacePodLevelResourcesVerticalScaling'] : []),
    ...(resizesInit ? ['InPlacePodVerticalScalingInitContainers'] : []),
  ];
}

function sameMembers(a: Value | undefined, b: Value | undefined): boolean {
  return sameValue(a ?? new Map(), b ?? new Map());
}
