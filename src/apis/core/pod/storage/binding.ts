import type { CallContext, VerbAnswer } from '../../../../apiserver/call/call-context.js';
import type { WriteOptions } from '../../../../apiserver/call/request-options.js';
import type { Posted, RestStorage } from '../../../../apiserver/handlers/rest-storage.js';
import { preconditionFailed } from '../../../../apiserver/handlers/update.js';
import type { ApiObject } from '../../../../apiserver/objects/api-object.js';
import { annotationErrors, annotationsSizeErrors, labelErrors } from '../../../../apiserver/registry/object-meta.js';
import { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { commitUpdate } from '../../../../apiserver/storage/commit.js';
import { quote } from '../../../../go/quote.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, type ValueMap, valueAt } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { type FieldError, invalidValue, notSupported, printFieldErrors, required } from '../../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { badRequest, conflict, invalid, unknownError } from '../../../../kubernetes/status-errors.js';
import { checkAnnotationChanges } from '../validation/pod-update-validation.js';
import { podAnswer, podNamed, validatePosted } from './posted-to-pod.js';
import { setCondition } from './set-condition.js';

/** Bindings of pods. Their uid and resourceVersion are preconditions for the pod. Source: kubernetes pkg/registry/core/pod/storage/storage.go BindingREST. */
export const podBinding: RestStorage = { create: bind, keepsSystemFields: true };

/** Bindings that are posted without the pod in the path. Source: the same, LegacyBindingREST. */
export const legacyBinding: RestStorage = { create: bind };

async function bind(object: ApiObject, { options }: Posted, context: CallContext): Promise<VerbAnswer> {
  const name = stringAt(object.value, 'metadata', 'name');
  if (context.info.name !== '' && name !== context.info.name) throw badRequest('name in URL does not match name in Binding object');
  const wrong = bindingErrors(context.server, object.value);
  if (wrong.length > 0) throw unknownError(printFieldErrors(wrong));
  await validatePosted(object, options, context);
  if (name === '') throw badRequest('Name parameter required.');
  const pod = podNamed(name, context);
  checkPreconditions(object.value, pod, options, context);
  const refused = bindingRefusal(pod, name);
  if (refused !== undefined) throw conflict({ group: '', resource: 'pods/binding' }, name, refused);
  checkMergedAnnotations(pod, object.value, context.server);
  const version = options.dryRun ? undefined : assignPod(pod, object.value, context);
  return podAnswer(context.server, version ?? stringAt(pod, 'metadata', 'resourceVersion'));
}

/** Source: core/validation ValidatePodBinding. */
function bindingErrors(server: ApiServer, binding: ValueMap): FieldError[] {
  const [kind, name] = [stringAt(binding, 'target', 'kind'), stringAt(binding, 'target', 'name')];
  const metadata = mapAt(binding, 'metadata');
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name', '')] : []),
    ...(name === '' || !server.since('v1.37') || !['', 'Node'].includes(kind)
      ? []
      : dns1123SubdomainProblems(name).map(problem => invalidValue('target.name', name, problem))),
    ...(server.since('v1.38') ? annotationErrors(server, mapAt(metadata, 'annotations'), 'metadata.annotations') : []),
    ...(server.since('v1.38') ? labelErrors(server, mapAt(metadata, 'labels'), 'metadata.labels') : []),
  ];
}

/** A Binding's uid and resourceVersion must be those of the pod. Source: apiserver storage Preconditions.Check. */
function checkPreconditions(binding: ValueMap, pod: ValueMap, { dryRun }: WriteOptions, { server, info }: CallContext): void {
  const target = { resource: { group: '', resource: 'pods', namespaced: true, custom: false }, isDryRun: dryRun };
  for (const [member, field] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = stringAt(binding, 'metadata', member);
    const stored = stringAt(pod, 'metadata', member);
    if (wanted !== '' && wanted !== stored)
      throw preconditionFailed(
        server,
        field,
        { wanted, stored },
        { ...target, info: { namespace: info.namespace, name: stringAt(pod, 'metadata', 'name') } },
      );
  }
}

function bindingRefusal(pod: ValueMap, name: string): string | undefined {
  if (valueAt(pod, 'metadata', 'deletionTimestamp') !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node !== '') return `pod ${name} is already assigned to node ${quote(node)}`;
  return listAt(pod, 'spec', 'schedulingGates').length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

/** Since v1.38, the annotations that a Binding gives to its pod are held to the rules of pods. Source: the same, setPodNodeAndMetadata. */
function checkMergedAnnotations(pod: ValueMap, binding: ValueMap, server: ApiServer): void {
  const annotations = mapAt(binding, 'metadata', 'annotations');
  if (!server.since('v1.38') || annotations === undefined || annotations.size === 0) return;
  const changed = FieldPath.root(server, withAnnotations(pod, annotations));
  checkAnnotationChanges(changed, FieldPath.root(server, pod));
  changed.add(annotationsSizeErrors(changed.child('metadata', 'annotations').members(), 'metadata.annotations'));
  if (changed.errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, '', changed.errors);
}

function withAnnotations(pod: ValueMap, annotations: ValueMap): ValueMap {
  const changed = copyOf(pod);
  const own = ensureMap(ensureMap(changed, 'metadata'), 'annotations');
  for (const [key, value] of annotations) own.set(key, value);
  return changed;
}

/** Assigns a pod in live storage to the node of a Binding, and returns its new resourceVersion. Source: kubernetes pkg/registry/core/pod/storage/storage.go setPodNodeAndMetadata. */
function assignPod(pod: ValueMap, binding: ValueMap, context: CallContext): string | undefined {
  const { server, effects } = context;
  const annotations = mapAt(binding, 'metadata', 'annotations');
  const changed = annotations === undefined ? copyOf(pod) : withAnnotations(pod, annotations);
  const labels = mapAt(binding, 'metadata', 'labels');
  if (labels !== undefined && server.isEnabled('PodTopologyLabelsAdmission')) {
    const own = ensureMap(ensureMap(changed, 'metadata'), 'labels');
    for (const [key, value] of labels) own.set(key, value);
  }
  ensureMap(changed, 'spec').set('nodeName', stringAt(binding, 'target', 'name'));
  if (server.isEnabled('ClearingNominatedNodeNameAfterBinding')) ensureMap(changed, 'status').delete('nominatedNodeName');
  setCondition(changed, { type: 'PodScheduled', status: 'True', lastProbeTime: null }, effects.now());
  return commitUpdate(pod, context)?.(changed);
}
