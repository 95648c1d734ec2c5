import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/apiserver/webhooks/webhook.js';
import { coverageOf } from '../../src/cli/commands/match/coverage.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import type { Manifest } from '../../src/client/manifests/manifests.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { type KubernetesMinor, kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { builtInResources } from '../../src/kubernetes/resource-table.js';
import { defaultServerOptions, flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { lint } from '../../src/lint/rule.js';
import { entryNeverMatches, ruleNeverMatches } from '../../src/lint/rules/unmatched-rules.js';
import { clusterStateWith } from '../support/cluster-state.js';
import { isAsked, matching, mistaken } from './generated-rules.js';

const group = 'admissionregistration.k8s.io';

/** A configuration with a webhook for each rule. */
function configuration(rules: readonly Rule[], parts: object = {}): ValueMap {
  const value = toValue({
    ...{ apiVersion: `${group}/v1`, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'c' } },
    webhooks: rules.map((rule, i) => ({ name: `w${i}`, clientConfig: { url: 'https://example.com/' }, rules: [rule], ...parts })),
  });
  if (!isMap(value)) throw new Error('not a map');
  return value;
}

async function findings(minor: KubernetesMinor, objects: readonly ValueMap[]) {
  const subject = lintSubjectOf(
    apiServers({ minor }),
    objects.map(object => ({ object }) as Manifest),
    new Date(0),
  );
  return (await lint([ruleNeverMatches, entryNeverMatches], subject, new Map())).map(({ finding }) => finding);
}

/** The numbers of the webhooks whose rule some request matches, by the table of `match`. */
function matchedWebhooks(minor: KubernetesMinor, rules: readonly Rule[]): ReadonlySet<string> {
  const server = apiServers({ minor });
  const options = { ...defaultServerOptions, ...serverOptions(flagValues(['--runtime-config=api/all=true'])) };
  const state = clusterStateWith({ server, objects: [configuration(rules)], options });
  const rows = builtInResources(server, 'all')
    .resources.filter(isAsked)
    .flatMap(resource => coverageOf(resource, 'default', state));
  return new Set(rows.flatMap(({ validating }) => validating));
}

describe.each(kubernetesMinors)('the rules that a generator makes of the resources of %s', minor => {
  const resources = builtInResources(apiServers({ minor }), 'all')
    .resources.filter(isAsked)
    .filter(({ verbs }) => verbs.includes('create'));

  it('are found where no request can match them', async () => {
    const rules = resources.flatMap(mistaken).filter((_, i) => i % kubernetesMinors.length === kubernetesMinors.indexOf(minor));
    const matched = matchedWebhooks(minor, rules);
    const expected = rules.flatMap((_, i) => (matched.has(`w${i}`) ? [] : [`w${i}`]));
    const found = (await findings(minor, [configuration(rules)])).filter(({ rule: id }) => id === 'rule-never-matches');
    expect(expected.length).toBeGreaterThan(100);
    expect(found.map(({ webhook }) => webhook)).toEqual(expected);
    // A mistake can be another resource that is served: apps/v1beta1 of deployments does not exist, that of events does.
    expect(rules.length - expected.length).toBeLessThan(10);
  });

  it('are not found where one does', async () => {
    const rules = resources.flatMap(matching).filter((_, i) => i % kubernetesMinors.length === kubernetesMinors.indexOf(minor));
    expect(rules.length).toBeGreaterThan(100);
    expect(matchedWebhooks(minor, rules).size).toBe(rules.length);
    expect(await findings(minor, [configuration(rules)])).toEqual([]);
  });
});

describe('a rule', () => {
  const base = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' };
  const messages = async (changes: Partial<Rule>, others: readonly ValueMap[] = [], parts: object = {}, minor: KubernetesMinor = 'v1.37') =>
    (await findings(minor, [configuration([{ ...base, ...changes }], parts), ...others])).map(({ message }) => message);
  const none = (change: string) => [`rule 1 matches no request of v1.37; the nearest that exists: ${change}`];

  it.each([
    [{ resources: ['deployments'] }, 'apiGroups: ["apps"]'],
    [{ resources: ['pod'] }, 'resources: ["pods"]'],
    [{ resources: ['Pods'] }, 'resources: ["pods"]'],
    [{ resources: ['po'] }, 'resources: ["pods"]'],
    [{ resources: ['pdos'] }, 'resources: ["pods"]'],
    [{ resources: ['pods.v1'] }, 'resources: ["pods"]'],
    [{ apiGroups: ['core'] }, 'apiGroups: [""]'],
    [{ apiGroups: ['app'], resources: ['deployments'] }, 'apiGroups: ["apps"]'],
    [{ apiGroups: ['rbac'], resources: ['roles'] }, 'apiGroups: ["rbac.authorization.k8s.io"]'],
    [{ apiGroups: ['networking.k8.io'], resources: ['ingresses'] }, 'apiGroups: ["networking.k8s.io"]'],
    [
      { apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
      'apiGroups: ["networking.k8s.io"], apiVersions: ["v1"]',
    ],
    [{ apiGroups: ['apps'], apiVersions: ['v1beta1'], resources: ['deployments'] }, 'apiVersions: ["v1"]'],
    [{ resources: ['pods/exec'] }, 'operations: ["CONNECT"]'],
    [{ resources: ['pods/ephemeralcontainers'] }, 'operations: ["UPDATE"]'],
    [{ resources: ['pods/ephemeralcontainer'], operations: ['UPDATE'] }, 'resources: ["pods/ephemeralcontainers"]'],
    [{ resources: ['nodes'], scope: 'Namespaced' }, 'scope: "Cluster"'],
    [{ resources: ['pods'], scope: 'Cluster' }, 'scope: "Namespaced"'],
    [{ apiGroups: ['policy'], apiVersions: ['v1'], resources: ['poddisruptionbudget'] }, 'resources: ["poddisruptionbudgets"]'],
  ])('%j is shown the nearest one', async (changes, change) => {
    expect(await messages(changes)).toEqual(none(change));
  });

  it.each([
    [{ apiGroups: ['example.com'], resources: ['widgets'] }],
    [{ apiGroups: ['example.com'], resources: ['widgets/status'], operations: ['UPDATE'] }],
    [{ apiGroups: ['subresources.kubevirt.io'], resources: ['virtualmachines/start'], operations: ['UPDATE'] }],
    [{ apiGroups: ['*'], resources: ['widgets'] }],
    [{ apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways'] }],
    [{ apiGroups: ['networking.x-k8s.io'], resources: ['gateways'] }],
    [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments'] }],
    [{ apiGroups: ['extensions', 'networking.k8s.io'], apiVersions: ['v1beta1', 'v1'], resources: ['ingresses'] }],
    [{ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], resources: ['*/*'] }],
  ])('%j can match', async changes => {
    expect(await messages(changes)).toEqual([]);
  });

  it('that no API server can serve is found in any group', async () => {
    const unknown = { apiGroups: ['example.com'] };
    for (const changes of [
      { ...unknown, resources: ['Widgets'] },
      { ...unknown, resources: ['widgets/status'] },
      { ...unknown, apiVersions: ['example.com/v1'], resources: ['widgets'] },
      { apiGroups: ['Example.com'], resources: ['widgets'] },
      { apiGroups: ['example'], resources: ['widgets'] },
    ])
      expect(await messages(changes)).toHaveLength(1);
  });

  it('of a definition in the files is compared with it', async () => {
    const value = toValue({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets.example.com' } },
      spec: {
        ...{ group: 'example.com', scope: 'Cluster', names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] } },
        versions: [
          { name: 'v1', served: true, storage: true, subresources: { status: {} } },
          { name: 'v1alpha1', served: false, storage: false },
        ],
      },
    });
    const definitions = isMap(value) ? [value] : [];
    const own = { apiGroups: ['example.com'], resources: ['widgets'] };
    const judged = (changes: Partial<Rule>, parts: object = {}) => messages({ ...own, ...changes }, definitions, parts);
    expect(await judged({})).toEqual([]);
    expect(await judged({ apiVersions: ['v2'] })).toEqual(none('apiVersions: ["v1"]'));
    expect(await judged({ resources: ['wd'] })).toEqual(none('resources: ["widgets"]'));
    expect(await judged({ scope: 'Namespaced' })).toEqual(none('scope: "Cluster"'));
    expect(await judged({ resources: ['widgets/status'], operations: ['UPDATE'] })).toEqual([]);
    expect(await judged({ resources: ['widgets/scale'], operations: ['UPDATE'] })).toHaveLength(1);
    expect(await judged({ apiVersions: ['v1alpha1'] })).toEqual([]);
    expect(await judged({ apiVersions: ['v1alpha1'] }, { matchPolicy: 'Exact' })).toEqual(none('apiVersions: ["v1"]'));
    expect(await judged({ resources: ['gadgets'] })).toEqual([]);
  });

  it('about resources that webhooks are never asked about is found', async () => {
    const own = { apiGroups: [group], resources: ['validatingwebhookconfigurations'] };
    expect(await messages(own)).toEqual(['rule 1 matches no request: webhooks are never called for validatingwebhookconfigurations']);
    const tokens = { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] };
    expect(await messages(tokens, [], {}, 'v1.36')).toEqual([]);
  });

  it('names the minors that serve it', async () => {
    const beta = { apiGroups: ['networking.k8s.io'], apiVersions: ['v1beta1'], resources: ['ipaddresses'] };
    expect(await messages(beta, [], { matchPolicy: 'Exact' })).toEqual([
      'rule 1 matches no request of v1.37; v1.34, v1.35, v1.36 serve it; the nearest that exists: apiVersions: ["v1"]',
    ]);
    expect(await messages(beta, [], {}, 'v1.36')).toEqual([]);
  });

  it('is searched for entries without an effect', async () => {
    expect(await messages({ resources: ['pods', 'deployments'] })).toEqual([
      'in rule 1, deployments matches no request of v1.37; the nearest that exists: apiGroups: ["apps"]',
    ]);
    expect(await messages({ resources: ['pods', 'pods/exec'], operations: ['CREATE', 'UPDATE'] })).toEqual([
      'in rule 1, pods/exec matches no request of v1.37; the nearest that exists: operations: ["CONNECT"]',
    ]);
    expect(await messages({ operations: ['CREATE', 'CONNECT'] })).toHaveLength(1);
    expect(await messages({ operations: ['CREATE', 'DELETE'], resources: ['pods', 'pods/exec'] })).toHaveLength(1);
  });
});

describe('a policy', () => {
  const rules = (resources: string[], operations = ['CREATE'], apiGroups = ['']) => [
    { operations, apiGroups, apiVersions: ['v1'], resources },
  ];
  const policy = (kind: string, matchConstraints: object): ValueMap => {
    const value = toValue({ apiVersion: `${group}/v1`, kind, metadata: { name: 'p' }, spec: { matchConstraints } });
    return isMap(value) ? value : new Map();
  };
  const binding = (matchResources: object): ValueMap => {
    const spec = { policyName: 'p', matchResources };
    const value = toValue({ apiVersion: `${group}/v1`, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'b' }, spec });
    return isMap(value) ? value : new Map();
  };
  const messages = async (...objects: ValueMap[]) => (await findings('v1.37', objects)).map(({ message }) => message);
  const validating = 'ValidatingAdmissionPolicy';

  it('is never evaluated for virtual resources and policies', async () => {
    const own = policy(validating, { resourceRules: rules(['subjectaccessreviews'], ['CREATE'], ['authorization.k8s.io']) });
    expect(await messages(own)).toEqual(['rule 1 matches no request: this policy is never evaluated for CREATE subjectaccessreviews']);
  });

  it('can exclude all that it matches', async () => {
    const excludeResourceRules = rules(['*']);
    const own = policy(validating, { resourceRules: rules(['pods']), excludeResourceRules });
    expect(await messages(own)).toEqual(['excludeResourceRules exclude everything that resourceRules match']);
    expect(await messages(policy(validating, { resourceRules: rules(['pods'], ['CREATE', 'UPDATE']), excludeResourceRules }))).toEqual([]);
    const idle = policy(validating, { resourceRules: rules(['pods']), excludeResourceRules: rules(['Pods']) });
    expect(await messages(idle)).toEqual(['rule 1 excludes nothing of v1.37; the nearest that exists: resources: ["pods"]']);
  });

  it('is not matched by a binding for other resources', async () => {
    const own = policy(validating, { resourceRules: rules(['pods']) });
    expect(await messages(own, binding({ resourceRules: rules(['pods']) }))).toEqual([]);
    expect(await messages(own, binding({ resourceRules: rules(['configmaps']) }))).toHaveLength(1);
  });

  it('that mutates is not evaluated for DELETE', async () => {
    const own = policy('MutatingAdmissionPolicy', { resourceRules: rules(['pods'], ['DELETE']) });
    expect(await messages(own)).toEqual(['rule 1 matches no request: mutating policies are not evaluated for DELETE']);
  });
});
