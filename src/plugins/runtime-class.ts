import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { quote } from '../go/quote.js';
import { copyOf, ensureMap, listAt, mapAt, type ValueMap, valueAt } from '../go/value.js';
import { pathSegmentError } from '../kubernetes/name-rules.js';
import { sameQuantity } from '../kubernetes/quantity.js';
import { PlainError } from '../kubernetes/status.js';
import { readListedObject } from './objects/listed-objects.js';
import { mainObject } from './objects/main-object.js';
import { type Amounts, amountsAt } from './objects/pod-resources.js';
import { mergeTolerations } from './tolerations.js';

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** RuntimeClass: sets a pod's overhead and scheduling from its runtime class. Source: kubernetes plugin/pkg/admission/runtimeclass. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  operations: ['CREATE'],
  admit: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    const found = pod === undefined ? undefined : classOf(pod, attributes, context);
    if (pod === undefined || found === undefined) return;
    const spec = ensureMap(pod, 'spec');
    setOverhead(spec, found, attributes);
    setScheduling(spec, found, attributes);
  },
  validate: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    const overhead = mapAt(classOf(pod, attributes, context), 'overhead');
    const own = amountsAt(pod, 'spec', 'overhead');
    if (overhead === undefined && mapAt(pod, 'spec', 'overhead') !== undefined)
      throw admissionRefusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    if (overhead !== undefined && !sameAmounts(own, amountsAt(overhead, 'podFixed'))) throw admissionRefusal(attributes, mismatch);
  },
};

function classOf(pod: ValueMap, attributes: Attributes, context: AdmissionContext): ValueMap | undefined {
  const name = valueAt(pod, 'spec', 'runtimeClassName');
  if (typeof name !== 'string' || (name === '' && context.server.since('v1.38'))) return undefined;
  const found = readListedObject(context, { group: 'node.k8s.io', kind: 'RuntimeClass' }, { namespace: '', name });
  if (found !== undefined) return found;
  const error = pathSegmentError('resource name', name);
  throw error === undefined ? admissionRefusal(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`) : new PlainError(error);
}

function setOverhead(spec: ValueMap, found: ValueMap, attributes: Attributes): void {
  const overhead = mapAt(found, 'overhead');
  if (overhead === undefined) return;
  const own = amountsAt(spec, 'overhead');
  if (own.size > 0 && !sameAmounts(own, amountsAt(overhead, 'podFixed'))) throw admissionRefusal(attributes, mismatch);
  const fixed = mapAt(overhead, 'podFixed');
  if (fixed === undefined) spec.delete('overhead');
  else spec.set('overhead', copyOf(fixed));
}

function setScheduling(spec: ValueMap, found: ValueMap, attributes: Attributes): void {
  const scheduling = mapAt(found, 'scheduling');
  if (scheduling === undefined) return;
  for (const [key, wanted] of mapAt(scheduling, 'nodeSelector') ?? []) {
    const own = mapAt(spec, 'nodeSelector')?.get(key);
    if (own !== undefined && own !== wanted) {
      throw admissionRefusal(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(wanted)}; pod.spec.nodeSelector[${key}] = ${String(own)}`,
      );
    }
    ensureMap(spec, 'nodeSelector').set(key, wanted);
  }
  const tolerations = mergeTolerations(listAt(spec, 'tolerations'), listAt(scheduling, 'tolerations'));
  if (tolerations.length > 0) spec.set('tolerations', copyOf(tolerations));
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([name, amount]) => sameQuantity(b.get(name) ?? '-1', amount));
}
