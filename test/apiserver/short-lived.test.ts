import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const spec = { containers: [{ name: 'app', image: 'nginx:1.28', ports: [{ containerPort: 8080 }] }] };
const pods = Array.from({ length: 500 }, (_, i): [string, string] => [
  `pods/web-${i}.json`,
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `web-${i}`, namespace: 'team', labels: { app: 'web' } }, spec }),
]);
const policy = `apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: labelled}
spec:
  matchConstraints:
    resourceRules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]
  validations: [{expression: has(object.metadata.labels)}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: labelled}
spec: {policyName: labelled, validationActions: [Deny]}
`;

/** Space for young objects, in MiB. */
const space = 8;
/** What outlives two collections of young objects: 450 to 880 KB of each 8 MiB, when the getters of calls are functions of their own. */
const maxBytes = 300_000;

it.each([
  ['without policies', []],
  ['with a policy', ['--state', 'policy.yaml']],
])('frees what a call refers to with its young objects, %s', (_, state) => {
  const { folder, remove } = temporaryFolder({ ...Object.fromEntries(pods), 'policy.yaml': policy });
  const sizes = [`--min-semi-space-size=${space}`, `--max-semi-space-size=${space}`];
  // Pretenuring: where much outlives the collections of a cold start, V8 may allocate later objects as old ones, also those that are soon garbage.
  const flags = [...sizes, '--no-allocation-site-pretenuring', '--trace-gc', '--trace-gc-nvp'];
  const argv = ['request', '-f', 'pods', '--phase', 'validating', '--independent', '--jobs', '1', ...state];
  const { stdout, status } = spawnSync(process.execPath, [...flags, path.join(root, 'bin/run.js'), ...argv], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  remove();
  expect(status).toBe(0);
  // `gc=s` and, since V8 14, `"gc":"s"`.
  const collections = stdout.split('\n').filter(line => /\bgc"?[=:]"?s\b/.test(line));
  const kept = collections.map(line => Number(/\bpromoted"?[=:](\d+)/.exec(line)?.[1])).slice(Math.floor(collections.length / 2));
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.sort((a, b) => a - b)[Math.floor(kept.length / 2)]).toBeLessThan(maxBytes);
});
