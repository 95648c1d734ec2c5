import type { Report } from '../../../apiserver/report/report.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { writeValue } from '../../../go/json/write.js';
import { copyOf, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import { kindOf } from '../../../kubernetes/storage.js';
import type { CheckFinding } from '../../../suites/checks/checked-call.js';
import { firstDifference } from '../../../suites/snapshots/first-difference.js';
import { isConfiguration, isPolicyObject } from '../webhooks/configurations.js';

/** A call that was reviewed by webhooks, and a function that repeats it. */
export interface ComparedCall {
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly report: Report;
  /** Makes the call in another state, with the same ids, time and randomness. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
}

const check = 'compare';

/**
 * Repeats a call with policies instead of all webhooks, and returns the differences of the two answers: decision, message, warnings and
 * resulting object.
 */
export async function comparePolicies(compared: ComparedCall, objects: readonly ValueMap[]): Promise<CheckFinding[]> {
  const { call, state, report, again } = compared;
  const other = await again(call, withPolicies(state, objects));
  return differencesOf(report, other).map(message => ({ check, webhook: '', message }));
}

/** Returns the state without its webhooks and policies, but with these policies and their bindings and parameters. */
function withPolicies(state: ClusterState, objects: readonly ValueMap[]): ClusterState {
  const replaced = new Set(objects.map(policyKeyOf));
  const kept = state.objects.filter(object => !isConfiguration(object) && !isPolicyObject(object) && !replaced.has(policyKeyOf(object)));
  return { ...state, objects: [...kept, ...objects, ...missingBindings(objects)] };
}

function policyKeyOf(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  return [group, kind, stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join('/');
}

/** A policy without a binding is compared as if it were bound everywhere. */
function missingBindings(objects: readonly ValueMap[]): ValueMap[] {
  const bound = new Set(objects.map(object => `${stringAt(object, 'kind')}/${stringAt(object, 'spec', 'policyName')}`));
  return objects.flatMap(object => {
    const { kind } = kindOf(object);
    const name = stringAt(object, 'metadata', 'name');
    if (!isPolicyObject(object) || kind.endsWith('Binding') || bound.has(`${kind}Binding/${name}`)) return [];
    const actions = kind === 'ValidatingAdmissionPolicy' ? { validationActions: ['Deny'] } : {};
    const binding = toValue({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}Binding`,
      metadata: { name },
      spec: { policyName: name, ...actions },
    });
    return binding instanceof Map ? [binding] : [];
  });
}

function differencesOf(webhooks: Report, policies: Report): string[] {
  const [one, other] = [webhooks.decision, policies.decision];
  const said = stringAt(other.status, 'message');
  if (one.allowed && !other.allowed) return [`the webhooks allow the call, and the policies refuse it: ${said}`];
  const message = stringAt(one.status, 'message');
  if (!one.allowed && other.allowed) return [`the webhooks refuse the call, and the policies allow it: ${message}`];
  return [
    ...(one.allowed ? [] : messageDifference(message, said)),
    ...warningDifference(one.warnings, other.warnings),
    ...(one.object === undefined || other.object === undefined ? [] : objectDifference(one.object, other.object)),
  ];
}

function messageDifference(webhook: string, policy: string): string[] {
  const [one, other] = [ownWords(webhook), ownWords(policy)];
  return one === other
    ? []
    : [`both refuse the call, the webhooks with ${JSON.stringify(one)}, the policies with ${JSON.stringify(other)}`];
}

/** Returns the message of the webhook or validation, without the text that the API server adds. */
function ownWords(message: string): string {
  return message
    .replace(/^admission webhook "[^"]*" denied the request(?:: )?/, '')
    .replace(/^.*? is forbidden: ValidatingAdmissionPolicy '[^']*'(?: with binding '[^']*')? denied request: /s, '')
    .trim();
}

function warningDifference(webhooks: readonly string[], policies: readonly string[]): string[] {
  const own = policies.map(text => text.replace(/^Validation failed for ValidatingAdmissionPolicy '[^']*' with binding '[^']*': /, ''));
  if (JSON.stringify([...webhooks].sort()) === JSON.stringify([...own].sort())) return [];
  return [`the webhooks warn with ${listed(webhooks)}, the policies with ${listed(own)}`];
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.map(text => JSON.stringify(text)).join(', ');
}

function objectDifference(webhooks: Value, policies: Value): string[] {
  const difference = firstDifference(comparable(webhooks), comparable(policies));
  if (difference === undefined) return [];
  const { path, expected = 'absent', actual = 'absent' } = difference;
  return [`${path === '' ? 'the object' : path} is ${expected} after the webhooks, ${actual} after the policies`];
}

/** Times, random values and field ownership differ for reasons other than policies and webhooks. */
function comparable(object: Value): Value {
  const copy = copyOf(object);
  const metadata = mapAt(copy, 'metadata');
  const [uid, name] = [stringAt(metadata, 'uid'), stringAt(metadata, 'name')];
  const isGenerated = stringAt(metadata, 'generateName') !== '';
  for (const key of ['managedFields', 'uid', 'creationTimestamp', ...(isGenerated ? ['name'] : [])]) metadata?.delete(key);
  for (const key of ['clusterIP', 'clusterIPs', 'healthCheckNodePort']) mapAt(copy, 'spec')?.delete(key);
  for (const port of listAt(copy, 'spec', 'ports')) if (port instanceof Map) port.delete('nodePort');
  const text = writeValue(copy, 'kept').replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access');
  return readUnstructured(
    [uid, ...(isGenerated ? [name] : [])].reduce((all, part) => (part === '' ? all : all.replaceAll(part, '')), text),
  );
}
