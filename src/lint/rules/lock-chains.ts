import { stringAt, valueAt } from '../../go/value.js';
import { labelsOf } from '../../kubernetes/label-selector.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { OutageStep } from '../outage/outage-step.js';
import type { PodOwner } from '../outage/pod-steps.js';
import { readableSelector } from '../reach.js';
import { admittedRequests, ruleMatches } from '../requests.js';
import type { LintedWebhook, LintRule, LintSubject, RuleProblem } from '../rule.js';
import { workloadOf } from '../workload-of.js';

type Chain = OutageStep['chain'];

/** A required webhook in the cluster intercepts the creation of its own pods. */
export const interceptsOwnPods: LintRule = {
  id: 'intercepts-own-pods',
  severity: 'error',
  reason: 'once none of its pods is running, none can be created: the cluster cannot recover it',
  fix: 'exclude its namespace with a namespaceSelector on kubernetes.io/metadata.name, or its pods with an objectSelector',
  check: subject =>
    checkLockChains(subject, 'own-pods', ([step]) => `it is called before pods are created in ${step?.namespace}, where its own pods run`),
};

/** A required webhook intercepts what brings its own pods back, or what repairs it. */
export const blocksOwnRecovery: LintRule = {
  id: 'blocks-own-recovery',
  severity: 'error',
  reason: 'once it is down, it cannot come up again or be repaired, as long as it is registered',
  fix: 'exclude its namespace with a namespaceSelector on kubernetes.io/metadata.name: NotIn, or remove the resource from its rules',
  check: subject => checkLockChains(subject, 'own-recovery', steps => `while it is down, the API server refuses ${listOf(steps)}`),
};

/** A required webhook intercepts what keeps it usable. */
export const blocksOwnUpkeep: LintRule = {
  id: 'blocks-own-upkeep',
  severity: 'warning',
  reason: 'an expired certificate takes it down, and then cannot be replaced',
  fix: 'exclude its namespace with a namespaceSelector on kubernetes.io/metadata.name: NotIn, or its own objects with an objectSelector',
  check: subject => checkLockChains(subject, 'own-upkeep', steps => `while it is down, the API server refuses ${listOf(steps)}`),
};

/** A required webhook intercepts the heartbeats of nodes or of the control plane. */
export const blocksHeartbeats: LintRule = {
  id: 'blocks-heartbeats',
  severity: 'error',
  reason:
    'nodes without heartbeats become NotReady within a minute and their pods are evicted; without leaders no controller and no scheduler runs',
  fix: 'remove nodes and leases from its rules, or exclude kube-system and kube-node-lease and the group system:nodes',
  check: subject => checkLockChains(subject, 'nodes', steps => `while it is down, the API server refuses ${listOf(steps)}`),
};

/** A webhook can block the cluster's own pods. */
export const interceptsKubeSystem: LintRule = {
  id: 'intercepts-kube-system',
  severity: 'warning',
  reason: 'if it is unavailable, pods of the control plane, DNS and the network cannot start',
  fix: 'add a namespaceSelector: kubernetes.io/metadata.name NotIn [kube-system]',
  check: subject => checkLockChains(subject, 'kube-system-pods', () => 'it is required for creating pods in kube-system'),
};

/** A required webhook intercepts what the pods of kube-system need to run. */
export const blocksKubeSystem: LintRule = {
  id: 'blocks-kube-system',
  severity: 'warning',
  reason: 'if it is unavailable, pods of the control plane, DNS and the network do not get ready, or not back',
  fix: 'add a namespaceSelector: kubernetes.io/metadata.name NotIn [kube-system]; for cluster-scoped resources remove them from its rules',
  check: subject => checkLockChains(subject, 'kube-system', steps => `while it is down, the API server refuses ${listOf(steps)}`),
};

async function checkLockChains(
  { webhooks, storage, refusedWhileDown }: LintSubject,
  chain: Chain,
  messageOf: (refused: readonly OutageStep[]) => string,
): Promise<RuleProblem[]> {
  const required = webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail');
  if (required.length === 0) return [];
  const { ownSteps } = await import('../outage/own-steps.js');
  const { clusterSteps } = await import('../outage/cluster-steps.js');
  const problems: RuleProblem[] = [];
  for (const webhook of required) {
    const owner = ownerOf(webhook, storage);
    const steps = [...(owner === undefined ? [] : ownSteps(owner)), ...clusterSteps()].filter(step => step.chain === chain);
    const asked = steps.filter(step => ruleOf(webhook, step, storage) !== undefined && isNeeded(step, webhook));
    const refused = asked.length === 0 ? [] : await refusedWhileDown(webhook, asked);
    const [first] = refused;
    if (first !== undefined) problems.push({ about: webhook, at: ruleOf(webhook, first, storage) ?? '', message: messageOf(refused) });
  }
  return problems;
}

/** The certificate of a webhook whose CA is read from a Secret is not requested from cert-manager: cert-manager's own webhook makes it. */
function isNeeded({ group }: OutageStep, { place: { object } }: LintedWebhook): boolean {
  return group !== 'cert-manager.io' || stringAt(object, 'metadata', 'annotations', 'cert-manager.io/inject-ca-from-secret') === '';
}

function listOf(steps: readonly OutageStep[]): string {
  return steps.map(({ what, resource, namespace }) => `${what} (${resource}${namespace === '' ? '' : ` in ${namespace}`})`).join('; ');
}

/** Returns the place of the first rule that matches a step; undefined if none does. */
function ruleOf({ rules, matchPolicy }: LintedWebhook, step: OutageStep, storage: Storage): string | undefined {
  const [resource, subresource = ''] = step.resource.split('/', 2);
  const request = admittedRequests(storage).find(
    one =>
      one.resource.group === step.group &&
      one.resource.resource === resource &&
      one.subresource === subresource &&
      one.operation === step.operation,
  );
  const own = { operation: step.operation, resource: { group: step.group, version: step.version, resource: resource ?? '' }, subresource };
  // A resource of a definition that is not among the files.
  const asked = request ?? { ...own, namespace: step.namespace, equivalents: [] };
  const index = rules.findIndex(rule => ruleMatches(rule, asked, matchPolicy));
  return index < 0 ? undefined : `/rules/${index}/resources`;
}

/** Returns the workload of a webhook in the cluster; undefined if it is elsewhere, or if only labels that the files do not show could exclude its objects. */
function ownerOf({ clientConfig: { service }, objectSelector }: LintedWebhook, storage: Storage): PodOwner | undefined {
  if (service === undefined) return undefined;
  const { namespace, name } = service;
  const workload = workloadOf(storage, storage.find({ group: '', kind: 'Service' }, namespace, name));
  if (workload !== undefined) {
    const labels = Object.fromEntries(labelsOf(valueAt(workload, 'spec', 'template')));
    return { namespace, name: stringAt(workload, 'metadata', 'name'), labels, whose: 'its' };
  }
  if (readableSelector(storage.server, objectSelector).matches !== 'everything') return undefined;
  return { namespace, name, labels: { app: name }, whose: 'its' };
}
