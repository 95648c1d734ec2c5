import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { ensureMap, mapAt, stringAt, type ValueMap, valueAt } from '../go/value.js';
import { invalidValue, printFieldErrors } from '../kubernetes/field-error.js';
import { labelKeyProblems, labelValueProblems } from '../kubernetes/name-rules.js';
import { PlainError } from '../kubernetes/status.js';
import { forbidden } from '../kubernetes/status-errors.js';
import { namespaceAnnotations } from './objects/listed-objects.js';
import { mainObject } from './objects/main-object.js';

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';

/**
 * PodNodeSelector: applies the namespace's node selector to pods, or that of the plugin's configuration, which also limits the labels of
 * namespaces. Source: kubernetes plugin/pkg/admission/podnodeselector.
 */
export const podNodeSelector: AdmissionPlugin = {
  name: 'PodNodeSelector',
  operations: ['CREATE'],
  admit: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    const wanted = selectorOfNamespace(attributes, context);
    refuseConflict(pod, wanted, attributes);
    const spec = ensureMap(pod, 'spec');
    for (const [key, value] of wanted) ensureMap(spec, 'nodeSelector').set(key, value);
    refuseUnlisted(pod, attributes, context);
  },
  validate: (attributes, context) => {
    const pod = mainObject(attributes, 'pods.');
    if (pod === undefined) return;
    refuseConflict(pod, selectorOfNamespace(attributes, context), attributes);
    refuseUnlisted(pod, attributes, context);
  },
};

function refuseUnlisted(pod: ValueMap, { resource, namespace }: Attributes, context: AdmissionContext): void {
  const listed = configured(namespace, context);
  if (listed.size === 0 || [...(mapAt(pod, 'spec', 'nodeSelector') ?? [])].every(([key, value]) => listed.get(key) === value)) return;
  const message = 'pod node label selector labels conflict with its namespace whitelist';
  throw forbidden(resource, stringAt(pod, 'metadata', 'name'), message);
}

/** Returns the selector of the configuration for a namespace, or for all. */
function configured(namespace: string, context: AdmissionContext): Map<string, string> {
  const written = context.state.pluginConfigurations?.get('PodNodeSelector');
  return selectorIn(stringAt(written, 'podNodeSelectorPluginConfig', namespace), context);
}

function refuseConflict(pod: ValueMap, wanted: ReadonlyMap<string, string>, { resource }: Attributes): void {
  const own = mapAt(pod, 'spec', 'nodeSelector');
  const conflicts = [...wanted].some(([key, value]) => own?.has(key) === true && own.get(key) !== value);
  if (!conflicts) return;
  const message = 'pod node label selector conflicts with its namespace node label selector';
  throw forbidden(resource, stringAt(pod, 'metadata', 'name'), message);
}

function selectorOfNamespace({ namespace }: Attributes, context: AdmissionContext): Map<string, string> {
  const text = valueAt(namespaceAnnotations(context, namespace), annotation);
  return typeof text === 'string' ? selectorIn(text, context) : configured('clusterDefaultNodeSelector', context);
}

/** Throws the plain 500 for a text that cannot be read. Source: apimachinery labels.ConvertSelectorToLabelsMap. */
function selectorIn(text: string, context: AdmissionContext): Map<string, string> {
  const selector = new Map<string, string>();
  if (text === '') return selector;
  for (const label of text.split(',')) {
    const parts = label.split('=');
    const [key = '', value = ''] = parts.map(part => part.trim());
    if (parts.length !== 2) throw new PlainError(`invalid selector: [${parts.join(' ')}]`);
    refuseProblems(key, labelKeyProblems(context.server, key));
    refuseProblems(value, labelValueProblems(context.server, value));
    selector.set(key, value);
  }
  return selector;
}

function refuseProblems(text: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new PlainError(printFieldErrors([invalidValue('<nil>', text, problems.join('; '))]));
}
