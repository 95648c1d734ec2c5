import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { refusal } from '../apiserver/admission/name-in-refusal.js';
import { listAt, mapAt, sameValue, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import { addNote } from '../kubernetes/call-notes.js';
import { readObject } from './listed-objects.js';
import { concerns } from './main-object.js';

const name = 'NodeDeclaredFeatureValidator';

/**
 * NodeDeclaredFeatureValidator: refuses a change of a pod that requires a feature that its node does not declare. Source: kubernetes
 * plugin/pkg/admission/nodedeclaredfeatures.
 */
export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name,
  operations: ['UPDATE'],
  validate: (attributes, context) => {
    const [pod, old] = [attributes.object?.value, attributes.oldObject?.value];
    if (
      !context.server.isEnabled('NodeDeclaredFeatures') ||
      !['', 'resize'].includes(attributes.subresource) ||
      !concerns(attributes, 'pods.')
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
    const found = readObject(context, { group: '', kind: 'Node' }, { namespace: '', name: node });
    if (found === undefined) throw refusal(attributes, `node ${JSON.stringify(node)} not found`);
    const declared = listAt(found, 'status', 'declaredFeatures');
    const missing = required.filter(feature => !declared.includes(feature));
    if (missing.length === 0) return;
    const words = `pod update requires features ${missing.join(', ')} which are not available on node ${JSON.stringify(node)}`;
    throw refusal(attributes, words);
  },
};

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
