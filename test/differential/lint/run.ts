import type { Rule } from '../../../src/apiserver/webhooks/webhook.js';
import { apiServers } from '../../../src/cli/work/api-servers/api-servers.js';
import { lintSubjectOf } from '../../../src/cli/work/lint/lint-subject.js';
import type { Manifest } from '../../../src/client/manifests/manifests.js';
import { isMap, toValue } from '../../../src/go/value.js';
import { type KubernetesMinor, kubernetesMinors } from '../../../src/kubernetes/kubernetes-version.js';
import { builtInResources } from '../../../src/kubernetes/resource-table.js';
import { clusterSteps } from '../../../src/lint/outage/cluster-steps.js';
import type { OutageStep } from '../../../src/lint/outage/outage-step.js';
import { ownSteps } from '../../../src/lint/outage/own-steps.js';
import { type LintSubject, lint } from '../../../src/lint/rule.js';
import { conditionWithoutObject } from '../../../src/lint/rules/condition-without-object.js';
import { conditionCanFail } from '../../../src/lint/rules/conditions.js';
import { ruleNeverMatches } from '../../../src/lint/rules/unmatched-rules.js';
import { sampleObjects } from '../../../src/lint/sample-objects.js';
import { isAsked, matching, mistaken } from '../../lint/generated-rules.js';
import { randomFrom } from '../random.js';
import { openWebhooks } from './called-webhooks.js';
import { createNamespace, send, withWebhooks } from './cluster.js';
import { randomConditions } from './random-conditions.js';
import { randomSelection } from './random-selection.js';
import { callsFor } from './resource-calls.js';
import { callOfStep, createExisting, removeExisting } from './step-calls.js';

/**
 * What lint says of random webhooks, compared with what a real API server does with them: rules that never match, calls that are refused
 * while a webhook is down, conditions that fail.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... KUBE_MINOR=v1.36 node dist/test/differential/lint/run.js [COUNT] [SEED]`
 */
const [count, seed] = [2, 3].map((at, i) => Number(process.argv[at] ?? [60, 1][i])) as [number, number];
const minor = kubernetesMinors.find(one => one === (process.env['KUBE_MINOR'] ?? 'v1.36')) ?? ('v1.36' satisfies KubernetesMinor);
const server = apiServers({ minor });
const r = randomFrom(seed);
const hooks = await openWebhooks();
const namespace = 'guard';
let differences = 0;
await createNamespace(namespace);
await createNamespace('kube-system');
await compareRules();
await compareChains();
await compareConditions();
hooks.close();
console.log(`\n${differences} differences`);
process.exit(differences > 0 ? 1 : 0);

function report(what: string, details: unknown): void {
  differences += 1;
  console.log(`${what}\n  ${JSON.stringify(details)}`);
}

/** Each rule is one webhook of a configuration; every operation on the resources of the samples is called. */
async function compareRules(): Promise<void> {
  const resources = builtInResources(server, 'default').resources.filter(
    one => isAsked(one) && sampleObjects.has(`${one.group}/${one.resource}`) && one.verbs.includes('create'),
  );
  const pickOf = (rules: readonly Rule[]): Rule[] => Array.from({ length: count }, () => r.pick(rules));
  const rules = [...pickOf(resources.flatMap(matching)), ...pickOf(resources.flatMap(mistaken))];
  const webhooks = rules.map((rule, i) => webhook(i, { rules: [rule] }));
  const claimed = new Set(
    (await lint([ruleNeverMatches], subjectOf('Mutating', webhooks), new Map())).map(({ finding }) => finding.webhook ?? ''),
  );
  hooks.take();
  await withWebhooks('mutating', webhooks, async () => {
    for (const resource of resources) for (const call of callsFor(resource, namespace, `probe-${resource.resource}`)) await send(call);
  });
  const called = hooks.take();
  rules.forEach((rule, i) => {
    const isClaimed = claimed.has(`w${i}.example.com`);
    if (isClaimed === called.has(String(i))) report(isClaimed ? 'lint: never called; it was called' : 'lint: called; it was not', rule);
  });
  console.log(`rules: ${rules.length}, of which lint says that ${claimed.size} never match; ${called.size} webhooks were called`);
}

/** A webhook that is down; each call that keeps a cluster running, as its user. */
async function compareChains(): Promise<void> {
  const steps = [...ownSteps({ namespace, name: 'hook', labels: { app: 'hook' }, whose: 'its' }), ...clusterSteps()].filter(
    ({ group }) => group !== 'cert-manager.io',
  );
  let refusals = 0;
  for (let i = 0; i < count; i += 1) {
    const phase = r.chance(50) ? 'mutating' : 'validating';
    const webhooks = [{ ...webhook(0, randomSelection(r, steps)), clientConfig: { url: 'https://127.0.0.1:1/' } }];
    const subject = subjectOf(phase === 'mutating' ? 'Mutating' : 'Validating', webhooks);
    const claims = (await Promise.all(subject.webhooks.map(one => subject.refusedWhileDown(one, steps)))).flat();
    const refused = await refusedSteps(phase, webhooks, steps);
    refusals += refused.length;
    for (const step of steps) {
      const isClaimed = claims.some(({ what }) => what === step.what);
      if (isClaimed !== refused.includes(step.what))
        report(isClaimed ? 'lint: refused; it was not' : 'lint: not refused; it was', [step.what, phase, webhooks]);
    }
  }
  console.log(`chains: ${count} webhooks that are down, ${count * steps.length} calls, ${refusals} refused`);
}

async function refusedSteps(
  phase: 'mutating' | 'validating',
  webhooks: readonly object[],
  steps: readonly OutageStep[],
): Promise<string[]> {
  for (const step of steps) await createExisting(step);
  const refused = await withWebhooks(phase, webhooks, async () => {
    const found: string[] = [];
    for (const step of steps) {
      const { body } = await send(callOfStep(step));
      if (body.includes('failed calling webhook')) found.push(step.what);
    }
    return found;
  });
  for (const step of steps) await removeExisting(step);
  return refused;
}

/** A condition and its repair: calls of the operation with the smallest object are refused, and are not. */
async function compareConditions(): Promise<void> {
  let failing = 0;
  for (const { expression, operation, rules, calls } of randomConditions(r, { server, namespace, count })) {
    const webhooks = (matchConditions: readonly object[]) => [webhook(0, { rules, matchConditions })];
    const first = webhooks([{ name: 'c', expression }]);
    const found = (await lint([conditionWithoutObject, conditionCanFail], subjectOf('Validating', first), new Map())).map(
      ({ finding }) => finding,
    );
    const fails = await withWebhooks('validating', first, () => failsIn(calls));
    failing += fails ? 1 : 0;
    if (fails !== found.length > 0)
      report(fails ? 'lint: does not fail; it failed' : 'lint: fails; it did not', [
        operation,
        expression,
        found.map(({ message }) => message),
      ]);
    const repair = /^write: (.*?)(?:, or use the object that is set)?$/s.exec(found[0]?.fix ?? '')?.[1];
    if (repair !== undefined && (await withWebhooks('validating', webhooks([{ name: 'c', expression: repair }]), () => failsIn(calls))))
      report('the repair fails, too', [operation, repair]);
  }
  console.log(`conditions: ${count}, of which ${failing} failed`);
}

async function failsIn(calls: ReturnType<typeof callsFor>): Promise<boolean> {
  let fails = false;
  for (const call of calls) {
    const { body } = await send(call);
    fails ||= / is forbidden: .*resulted in error: /s.test(body);
  }
  return fails;
}

function webhook(i: number, parts: object): object {
  const fixed = { admissionReviewVersions: ['v1'], sideEffects: 'None', timeoutSeconds: 5, failurePolicy: 'Fail' };
  return { name: `w${i}.example.com`, clientConfig: hooks.clientConfig(String(i)), ...fixed, ...parts };
}

function subjectOf(phase: 'Mutating' | 'Validating', webhooks: readonly object[]): LintSubject {
  const kind = `${phase}WebhookConfiguration`;
  const object = toValue({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'lint' }, webhooks });
  if (!isMap(object)) throw new Error('not a map');
  return lintSubjectOf(server, [{ object } as Manifest], new Date());
}
