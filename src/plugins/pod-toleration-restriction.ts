import { qosClassOf } from '../apis/core/pod/qos-class.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { builtInCodec } from '../apiserver/objects/built-in-codec.js';
import { DecodeError } from '../apiserver/objects/codec.js';
import { ensureMap, listAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import { PlainError } from '../kubernetes/status.js';
import { namespaceAnnotations } from './listed-objects.js';
import { mainObject } from './main-object.js';
import { allCovered, mergeTolerations } from './tolerations.js';

const prefix = 'scheduler.alpha.kubernetes.io';

/**
 * PodTolerationRestriction: adds a namespace's default tolerations and refuses those it does not list; without annotations, those of the
 * plugin's configuration. Source: kubernetes plugin/pkg/admission/podtolerationrestriction.
 */
export const podTolerationRestriction: AdmissionPlugin = {
  name: 'PodTolerationRestriction',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    const { namespace, operation } = attributes;
    const added =
      operation === 'CREATE'
        ? [...(tolerationsIn(`${prefix}/defaultTolerations`, namespace, context) ?? configured('default', context))]
        : [];
    if (qosClassOf(context.server, pod) !== 'BestEffort') added.push(memoryPressure);
    const spec = ensureMap(pod, 'spec');
    if (added.length > 0) spec.set('tolerations', mergeTolerations(listAt(spec, 'tolerations'), added));
    refuseUnlisted(pod, namespace, context);
  },
  validate: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod !== undefined) refuseUnlisted(pod, attributes.namespace, context);
  },
};

const memoryPressure = toValue({ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' });

/** Refuses unlisted tolerations with a plain error, as upstream. */
function refuseUnlisted(pod: ValueMap, namespace: string, context: AdmissionContext): void {
  const tolerations = listAt(pod, 'spec', 'tolerations');
  if (tolerations.length === 0) return;
  const listed = tolerationsIn(`${prefix}/tolerationsWhitelist`, namespace, context);
  if (allCovered(tolerations, listed ?? configured('whitelist', context))) return;
  const scope = listed === undefined ? 'cluster' : 'namespace';
  throw new PlainError(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
}

function configured(list: 'default' | 'whitelist', { state }: AdmissionContext): readonly Value[] {
  return listAt(state.pluginConfigurations?.get('PodTolerationRestriction'), list);
}

/** Parses the list in an annotation of the namespace; undefined without one. Throws a plain 500 when it is invalid. */
function tolerationsIn(annotation: string, namespace: string, context: AdmissionContext): Value[] | undefined {
  const text = valueAt(namespaceAnnotations(context, namespace), annotation);
  if (typeof text !== 'string') return undefined;
  if (text === '') return [];
  try {
    const pod = builtInCodec(context.server, { group: '', version: 'v1', kind: 'Pod' })?.decode(`{"spec":{"tolerations":${text}}}`).value;
    return listAt(pod, 'spec', 'tolerations');
  } catch (error) {
    if (error instanceof DecodeError) throw new PlainError(error.message);
    throw error;
  }
}
