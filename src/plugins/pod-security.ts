import type { Attributes } from '../apiserver/admission/attributes.js';
import type { CallRecord } from '../apiserver/admission/call-record.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { printFieldErrors } from '../kubernetes/field-error.js';
import { labelsOf } from '../kubernetes/label-selector.js';
import { memoize } from '../kubernetes/memoize.js';
import { forbidden, internalError, invalid } from '../kubernetes/status-errors.js';
import { concernsMainObject } from './objects/main-object.js';
import type { CheckedPod } from './pod-security/check.js';
import { detailsOfEvaluation, violationsOf } from './pod-security/evaluate.js';
import {
  compareLevels,
  isPrivileged,
  type LevelVersion,
  levelNamed,
  minorOfPolicy,
  type PodSecurityPolicy,
  policyOf,
  printLevelVersion,
  privilegedPolicy,
  sameLevelVersion,
} from './pod-security/policy.js';

/** Path of the pod template in each workload. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates.', ['template']],
  ['replicationcontrollers.', ['spec', 'template']],
  ['replicasets.apps', ['spec', 'template']],
  ['deployments.apps', ['spec', 'template']],
  ['statefulsets.apps', ['spec', 'template']],
  ['daemonsets.apps', ['spec', 'template']],
  ['jobs.batch', ['spec', 'template']],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);

const ignoredSubresources = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

/**
 * PodSecurity: enforces the security standard of a pod's namespace, with the defaults and exemptions of the plugin's configuration.
 * Source: pod-security-admission admission/admission.go.
 */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, context) => {
    const { object, resource, subresource } = attributes;
    if (object === undefined) return;
    if (concernsMainObject(attributes, 'namespaces.'))
      return subresource === '' ? validateNamespace(object.value, attributes, context) : undefined;
    if (concernsMainObject(attributes, 'pods.')) return validatePod(object.value, attributes, context);
    const path = subresource === '' ? templates.get(`${resource.resource}.${resource.group}`) : undefined;
    const template = path === undefined ? undefined : mapAt(object.value, ...path);
    if (template !== undefined && !isExempt(attributes, context)) evaluate(template, attributes, { context, refuses: false });
  },
};

function validateNamespace(namespace: ValueMap, attributes: Attributes, context: AdmissionContext): void {
  const { defaults, exemptions } = podSecurityConfiguration(context.state);
  const { policy, errors } = policyOf(labelsOf(namespace), defaults);
  const before = policyOf(labelsOf(attributes.oldObject?.value), defaults);
  const warnings = (): readonly string[] =>
    exemptions.namespaces.includes(attributes.namespace)
      ? ignoredPolicyWarning(namespace, policy, defaults)
      : existingPodWarnings(stringAt(namespace, 'metadata', 'name'), policy.enforce, context);
  const isNew =
    attributes.operation === 'CREATE' || before.errors.length === 0 || printFieldErrors(errors) !== printFieldErrors(before.errors);
  if (errors.length > 0 && isNew) throw invalid(attributes.kind, attributes.name, errors);
  if (attributes.operation === 'CREATE') return;
  const { enforce: now } = policy;
  const { enforce: old } = before.policy;
  if (sameLevelVersion(now, old) || now.level === 'privileged') return;
  if (now.minor === old.minor && compareLevels(now.level, old.level) < 1) return;
  context.record.warnings.push(...warnings());
}

function validatePod(pod: ValueMap, attributes: Attributes, context: AdmissionContext): void {
  const { subresource, operation, oldObject } = attributes;
  if (ignoredSubresources.has(subresource) || isExempt(attributes, context)) return;
  if (operation === 'UPDATE' && oldObject !== undefined && !changesImages(pod, oldObject.value)) return;
  evaluate(pod, attributes, { context, refuses: true });
}

/** Reports whether the namespace or the user is exempt, and notes which. */
function isExempt({ namespace, user }: Attributes, { state, record }: AdmissionContext): boolean {
  const { namespaces, usernames } = podSecurityConfiguration(state).exemptions;
  const reason = namespaces.includes(namespace) ? 'namespace' : usernames.includes(user.username) ? 'user' : undefined;
  if (reason !== undefined) annotate(record, 'exempt', reason);
  return reason !== undefined;
}

function policyOfNamespace({ namespace }: Attributes, { storage, state }: AdmissionContext): ReturnType<typeof policyOf> {
  const found = storage.find({ group: '', kind: 'Namespace' }, '', namespace);
  if (found === undefined && !state.presumesNamespaces) throw internalError(`failed to lookup namespace ${JSON.stringify(namespace)}`);
  return policyOf(labelsOf(found), podSecurityConfiguration(state).defaults);
}

function evaluate(pod: ValueMap, attributes: Attributes, { context, refuses }: { context: AdmissionContext; refuses: boolean }): void {
  const { record } = context;
  const { policy, errors } = policyOfNamespace(attributes, context);
  // The audit log records `privileged:latest` for pods without any policy; the report omits that.
  if (errors.length === 0 && isPrivileged(refuses ? policy : { ...policy, enforce: policy.warn })) return;
  const runtimeClass = stringAt(pod, 'spec', 'runtimeClassName');
  if (runtimeClass !== '' && podSecurityConfiguration(context.state).exemptions.runtimeClasses.includes(runtimeClass)) {
    annotate(record, 'exempt', 'runtimeClass');
    return;
  }
  const checked: CheckedPod = { metadata: mapAt(pod, 'metadata'), spec: mapAt(pod, 'spec') ?? new Map() };
  const found = refuses ? detailsOfEvaluation(violationsOf(context.server, checked, policy.enforce)) : '';
  const audited = detailsOfEvaluation(violationsOf(context.server, checked, policy.audit));
  const warned = detailsOfEvaluation(violationsOf(context.server, checked, policy.warn));
  if (errors.length > 0) annotate(record, 'error', `Failed to parse policy: ${printFieldErrors(errors)}`);
  if (refuses) annotate(record, 'enforce-policy', printLevelVersion(policy.enforce));
  if (audited !== '') annotate(record, 'audit-violations', `would violate PodSecurity "${printLevelVersion(policy.audit)}": ${audited}`);
  if (found !== '')
    throw forbidden(attributes.resource, attributes.name, `violates PodSecurity "${printLevelVersion(policy.enforce)}": ${found}`);
  if (warned !== '') record.warnings.push(`would violate PodSecurity "${printLevelVersion(policy.warn)}": ${warned}`);
}

/** Records an annotation; the first value of a key is kept. */
function annotate(record: CallRecord, key: string, value: string): void {
  const name = `pod-security.kubernetes.io/${key}`;
  if (!record.auditAnnotations.has(name)) record.auditAnnotations.set(name, value);
}

/** Reports whether containers or images differ. */
function changesImages(pod: ValueMap, old: ValueMap): boolean {
  const image = (container: Value | undefined): string => stringAt(container, 'image');
  const listed = ['containers', 'initContainers'].some(key => {
    const [now, before] = [listAt(pod, 'spec', key), listAt(old, 'spec', key)];
    return now.length !== before.length || now.some((container, i) => image(container) !== image(before[i]));
  });
  if (listed) return true;
  const before = listAt(old, 'spec', 'ephemeralContainers');
  return listAt(pod, 'spec', 'ephemeralContainers').some(container => {
    const same = before.find(other => stringAt(other, 'name') === stringAt(container, 'name'));
    return same === undefined || image(same) !== image(container);
  });
}

/** Returns the warning about a policy of an exempt namespace; none if it is the default. Source: pod-security-admission exemptNamespaceWarning. */
function ignoredPolicyWarning(namespace: ValueMap, policy: PodSecurityPolicy, defaults: PodSecurityPolicy): string[] {
  const modes = ['enforce', 'audit', 'warn'] as const;
  if (isPrivileged(policy) || modes.every(mode => isEquivalent(policy[mode], defaults[mode]))) return [];
  const labels = labelsOf(namespace);
  const isSet = (mode: string): boolean =>
    labels.has(`pod-security.kubernetes.io/${mode}`) || labels.has(`pod-security.kubernetes.io/${mode}-version`);
  const shown = modes.filter(mode => policy[mode].level !== 'privileged' && isSet(mode));
  const text = shown.map(mode => `${mode}=${printLevelVersion(policy[mode])}`).join(', ');
  const name = JSON.stringify(stringAt(namespace, 'metadata', 'name'));
  return [`namespace ${name} is exempt from Pod Security, and the policy (${text}) will be ignored`];
}

function isEquivalent(a: LevelVersion, b: LevelVersion): boolean {
  return (a.level === 'privileged' && b.level === 'privileged') || sameLevelVersion(a, b);
}

const mostPods = 3000;

/**
 * Returns warnings about existing pods that violate a stricter policy of their namespace; they are kept. Source: pod-security-admission
 * EvaluatePodsInNamespace.
 */
function existingPodWarnings(
  namespace: string,
  enforce: LevelVersion,
  { storage, state }: Pick<AdmissionContext, 'storage' | 'state'>,
): string[] {
  const exempt = podSecurityConfiguration(state).exemptions.runtimeClasses;
  const all = oneOfEachFirst(storage.list({ group: '', kind: 'Pod' }, namespace));
  const pods = all.slice(0, mostPods);
  const namesByReason = new Map<string, string[]>();
  for (const pod of pods) {
    if (exempt.includes(stringAt(pod, 'spec', 'runtimeClassName'))) continue;
    const reasons = violationsOf(storage.server, { metadata: mapAt(pod, 'metadata'), spec: mapAt(pod, 'spec') ?? new Map() }, enforce);
    const key = reasons.map(({ reason }) => reason).join(', ');
    if (key !== '') namesByReason.set(key, [...(namesByReason.get(key) ?? []), stringAt(pod, 'metadata', 'name')]);
  }
  const lines = [...namesByReason].map(([reasons, names]) => `${[...names].sort()[0] ?? ''}${others(names.length - 1)}: ${reasons}`);
  const warnings: string[] = [];
  if (pods.length < all.length)
    warnings.push(`new PodSecurity enforce level only checked against the first ${pods.length} of ${all.length} existing pods`);
  if (lines.length > 0)
    warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${printLevelVersion(enforce)}"`);
  return [...warnings, ...lines.sort()];
}

function others(count: number): string {
  return count === 0 ? '' : ` (and ${count} other ${count === 1 ? 'pod' : 'pods'})`;
}

/** Moves further pods of the same controller to the end. */
function oneOfEachFirst(pods: readonly ValueMap[]): ValueMap[] {
  const seen = new Set<string>();
  const first: ValueMap[] = [];
  const later: ValueMap[] = [];
  for (const pod of pods) {
    const controller = listAt(pod, 'metadata', 'ownerReferences').find(owner => valueAt(owner, 'controller') === true);
    const uid = stringAt(controller, 'uid');
    const isRepeated = controller !== undefined && seen.has(uid);
    seen.add(uid);
    (isRepeated ? later : first).push(pod);
  }
  return [...first, ...later];
}

/** Configuration of the plugin. Source: pod-security-admission admission/api/types.go. */
interface PodSecurityConfiguration {
  readonly defaults: PodSecurityPolicy;
  /** Who and what is not checked. */
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

const none: PodSecurityConfiguration = { defaults: privilegedPolicy, exemptions: { usernames: [], namespaces: [], runtimeClasses: [] } };

/** Returns the configuration of a state; without a file, no policy and no exemptions. */
function podSecurityConfiguration({ pluginConfigurations }: ClusterState): PodSecurityConfiguration {
  const written = pluginConfigurations?.get('PodSecurity');
  return written === undefined ? none : parsedConfiguration(written);
}

const parsedConfiguration = memoize((written: ValueMap): PodSecurityConfiguration => {
  const mode = (name: string): LevelVersion => ({
    level: levelNamed(stringAt(written, 'defaults', name)) ?? 'privileged',
    minor: minorOfPolicy(stringAt(written, 'defaults', `${name}-version`)) ?? 'latest',
  });
  const exempt = (name: string): string[] => listAt(written, 'exemptions', name).map(String);
  return {
    defaults: { enforce: mode('enforce'), audit: mode('audit'), warn: mode('warn') },
    exemptions: { usernames: exempt('usernames'), namespaces: exempt('namespaces'), runtimeClasses: exempt('runtimeClasses') },
  };
});
