import type { ApiServer } from '../../kubernetes/api-server.js';
import type { ConditionTrial, LintedWebhook, LintRule, LintSubject, RuleProblem } from '../rule.js';
import { failuresWithoutObject } from './condition-without-object.js';

/** A condition reads members that objects and requests may lack. */
export const conditionCanFail: LintRule = {
  id: 'condition-can-fail',
  severity: 'warning',
  reason: 'reading a missing key is an error: it rejects the request with failurePolicy Fail, and skips the webhook with Ignore',
  fix: 'check with has(...) or `in` first, or use optional selection: object.metadata.?labels',
  check: async subject => {
    const asking = subject.webhooks.filter(webhook => webhook.matchConditions.length > 0);
    if (asking.length === 0) return [];
    const probes = await import('../probes.js');
    const problems: RuleProblem[] = [];
    for (const webhook of asking) problems.push(...(await checkWebhookConditions(subject, webhook, probes)));
    return problems;
  },
};

/** Problems that a generic object shows, then those that only the requests for built-in kinds show; with the expression that repairs each. */
async function checkWebhookConditions(
  subject: LintSubject,
  webhook: LintedWebhook,
  probes: typeof import('../probes.js'),
): Promise<RuleProblem[]> {
  const generic = genericProblems(subject.server, webhook, probes);
  const withoutObject = new Set(
    failuresWithoutObject(subject.server, webhook, probes).map(({ index, operation }) => `${index} ${operation}`),
  );
  const trials = await subject.failedTrials(webhook);
  const others = trials.filter(({ index, operation }) => !generic.has(index) && !withoutObject.has(`${index} ${operation}`));
  const problems = new Map(generic);
  for (const trial of others) if (!problems.has(trial.index)) problems.set(trial.index, problemOf(webhook, trial));
  const repaired: RuleProblem[] = [];
  for (const [index, problem] of problems) {
    const repair = await repairOf(subject, webhook, { index, trials: trials.filter(trial => trial.index === index) });
    repaired.push(repair === undefined ? problem : { ...problem, fix: `write: ${repair}` });
  }
  return repaired;
}

function problemOf(webhook: LintedWebhook, { index, operation, resource, shape, error }: ConditionTrial): RuleProblem {
  const name = webhook.matchConditions[index]?.name ?? '';
  const message = `the condition ${name} fails on ${operation} ${resource}${shape === '' ? '' : ` ${shape}`}: ${error}`;
  return { about: webhook, at: `/matchConditions/${index}/expression`, message };
}

/** Returns the first repair of a condition with which no request fails. */
async function repairOf(
  { server, failedTrials }: LintSubject,
  webhook: LintedWebhook,
  { index, trials }: { readonly index: number; readonly trials: readonly ConditionTrial[] },
): Promise<string | undefined> {
  const expressions = webhook.matchConditions.map(({ expression }) => expression);
  const { repairsOf } = await import('../repaired-condition.js');
  const { compiledCondition } = await import('../../cel/compiled-condition.js');
  for (const repair of trials.length === 0 ? [] : repairsOf(expressions[index] ?? '', trials)) {
    if (compiledCondition(server, repair).outcome === 'failed') continue;
    const failed = await failedTrials(
      webhook,
      expressions.map((one, i) => (i === index ? repair : one)),
    );
    if (!failed.some(trial => trial.index === index)) return repair;
  }
  return undefined;
}

/** Objects without labels and annotations, and with others than those in the condition. */
const samples = [{}, { labels: { probe: '' }, annotations: { probe: '' } }];

/** Optional members of objects, and of requests without a subresource. */
const optional: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'ownerReferences', 'finalizers', 'generateName', 'deletionTimestamp'],
  ...['subResource', 'requestSubResource', 'extra'],
]);

function genericProblems(
  server: ApiServer,
  webhook: LintedWebhook,
  { conditionErrors, objectWith, probedOperationsOf }: typeof import('../probes.js'),
): Map<number, RuleProblem> {
  const found = new Map<number, RuleProblem>();
  for (const operation of probedOperationsOf(webhook)) {
    for (const sample of samples) {
      const probe = objectWith(sample);
      const [object, oldObject] = [operation === 'DELETE' ? null : probe, operation === 'UPDATE' || operation === 'DELETE' ? probe : null];
      for (const { index, error } of conditionErrors(server, webhook, { operation, object, oldObject })) {
        const { name, expression } = webhook.matchConditions[index] ?? { name: '', expression: '' };
        const key = /^no such key: (.*)$/s.exec(error)?.[1] ?? '';
        if (found.has(index) || !(optional.has(key) || isEntry(expression, key))) continue;
        if (key === 'labels' && operation !== 'CREATE' && isAboutJobs(webhook, operation)) continue;
        const message = `the condition ${name} reads ${key}, which may be missing, on ${operation}: ${error}`;
        found.set(index, { about: webhook, at: `/matchConditions/${index}/expression`, message });
      }
    }
  }
  return found;
}

/** Jobs have the labels of their pods, of which the API server sets some, as a default. Source: kubernetes pkg/apis/batch/v1/defaults.go SetDefaults_Job. */
function isAboutJobs({ rules }: LintedWebhook, operation: string): boolean {
  const asked = rules.filter(({ operations }) => operations.includes(operation) || operations.includes('*'));
  return asked.every(
    ({ apiGroups, resources }) => apiGroups.every(group => group === 'batch') && resources.every(name => /^jobs(\/|$)/.test(name)),
  );
}

/** Returns whether a key is read from labels or annotations. */
function isEntry(expression: string, key: string): boolean {
  return ['labels', 'annotations'].some(
    map => expression.includes(`${map}.${key}`) || expression.includes(`${map}['${key}']`) || expression.includes(`${map}["${key}"]`),
  );
}
