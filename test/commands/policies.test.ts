import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Diagnose from '../../commands/diagnose.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { threadInProcess } from '../support/thread-in-process.js';

const rules = 'resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]';
const state = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit-replicas}
spec:
  matchConstraints: {${rules}}
  matchConditions: [{name: not-system, expression: "request.namespace != 'kube-system'"}]
  validations: [{expression: object.spec.replicas <= 5, message: at most 5 replicas}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: limit-replicas, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: one-more}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints: {${rules}}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: one-more}
spec: {policyName: one-more}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: lost}
spec: {policyName: nothing, validationActions: [Deny]}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`;

const deployment = (replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: busybox}]}
`;

let folder: string;
let remove: () => void;
const at = (name: string): string => path.join(folder, name);
const coverageIn = (text: string): string => text.slice(text.indexOf('coverage:'), text.indexOf('snapshots:'));
const inState = (name: string): string[] => ['--state', at('state.yaml'), '-f', at(name)];

beforeAll(() => {
  ({ folder, remove } = temporaryFolder({
    'state.yaml': state,
    'cases/small.yaml': deployment(1),
    'cases/large.yaml': deployment(4),
    'cases/middle.yaml': deployment(2),
  }));
});
afterAll(() => remove());

describe('admission policies', () => {
  it('are evaluated without webhooks, and are reinvoked after their own changes', async () => {
    const { stdout, exitCode } = await runCommand(Review, inState('cases/large.yaml'));
    expect(stdout).toContain('mutating    policy one-more/one-more (again)  allowed, changed the object');
    expect(stdout).toContain('validating  policy limit-replicas/everywhere  denied');
    expect(stdout).toContain('1. at most 5 replicas');
    expect(exitCode).toBe(1);
  });

  it('are in the report', async () => {
    const { stdout, exitCode } = await runCommand(Review, [...inState('cases/small.yaml'), '-o', 'json']);
    const { policies, decision } = JSON.parse(stdout) as {
      policies: Record<string, unknown>[];
      decision: { object: { spec: { replicas: number } } };
    };
    expect(policies.map(({ policy, round, outcome }) => [policy, round, outcome])).toEqual([
      ['one-more', 1, 'mutated'],
      ['one-more', 2, 'mutated'],
      ['limit-replicas', 1, 'allowed'],
    ]);
    expect(policies[2]?.['validations']).toEqual([
      { index: 0, expression: 'object.spec.replicas <= 5', outcome: 'true', message: null, reason: null },
    ]);
    expect(decision.object.spec.replicas).toBe(3);
    expect(exitCode).toBe(0);
  });

  it('are explained predicate by predicate', async () => {
    const { stdout } = await runCommand(Match, [...inState('cases/large.yaml'), '--explain']);
    expect(stdout).toContain('! validation 1: wants object.spec.replicas <= 5; saw false: at most 5 replicas');
    expect(stdout).toContain("  matchConditions: wants not-system: request.namespace != 'kube-system'; saw true");
  });

  it('are included in the coverage of a resource', async () => {
    const { stdout } = await runCommand(Match, [...inState('cases/large.yaml'), '--all-operations']);
    expect(stdout).toMatch(/CREATE +deployments +- +- +one-more,limit-replicas/);
    expect(stdout).toMatch(/DELETE +deployments +- +- +-/);
  });

  it('are counted by coverage', async () => {
    const { stdout } = await runCommand(Test, [at('cases'), '--state', at('state.yaml'), '--coverage', '--update']);
    expect(stdout).toContain('coverage: 2 of 5 rules, conditions, validations and mutations fully reached');
    expect(stdout).toContain("condition not-system: never false: request.namespace != 'kube-system'");
    expect(stdout).not.toContain('validation 1: never');
    const argv = [at('cases'), '--state', at('state.yaml'), '--coverage', '--check', '--concurrency=2', '--jobs=2'];
    const inThreads = await runCommand(Test, argv, { startThread: threadInProcess });
    expect(coverageIn(inThreads.stdout)).toBe(coverageIn(stdout));
  });

  it('are linted', async () => {
    const { stdout } = await runCommand(Lint, ['-f', at('state.yaml'), '-o', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; configuration: string }[] };
    expect(findings.map(({ rule, configuration }) => `${configuration}: ${rule}`)).toEqual([
      'one-more: mutation-runs-twice',
      'lost: binding-without-policy',
    ]);
  });

  it.each([
    ['policy-denied', `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`],
    [
      'policy-params-missing',
      "policy 'p' with binding 'b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    ],
    [
      'policy-param-kind',
      `policy "p" denied request: failed to configure policy: failed to find resource referenced by paramKind: 'a/v1, Kind=B'`,
    ],
    [
      'policy-expression',
      `pods "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'x' resulted in error: no such key: x`,
    ],
    [
      'policy-atomic',
      "policy 'p' with binding 'b' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector",
    ],
    ['policy-patch', "policy 'p' with binding 'b' denied request: JSON Patch: Unexpected kind: merge"],
  ])('are diagnosed: %s', async (id, message) => {
    const { stdout } = await runCommand(Diagnose, [message, '-o', 'json']);
    expect(stdout).toContain(`"cause": "${id}"`);
  });
});
