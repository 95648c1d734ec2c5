import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
`;

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: default}\n';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'deployment.yaml': deployment, 'configmap.yaml': configMap }));
});
afterEach(() => remove());

async function test(fields: string): Promise<CommandResult> {
  const suite = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\ncases:\n- {name: one, snapshot: false, ${fields}}\n`;
  writeFileSync(`${folder}/s.webhook-test.yaml`, suite);
  return runCommand(Test, ['s.webhook-test.yaml'], { cwd: folder, env: { XDG_CACHE_HOME: '' } });
}

describe('a case with created-pods', { timeout: 60_000 }, () => {
  it("creates the workload's pods as its controller", async () => {
    const { exitCode, stdout } = await test(
      'filename: deployment.yaml, created-pods: true, expect: {allowed: true, object: [{path: kind, equals: Pod}, {path: "metadata.ownerReferences[0].kind", equals: ReplicaSet}]}',
    );
    expect([exitCode, exitCode === 0 ? '' : stdout]).toEqual([0, '']);
  });

  it.each([
    ['filename: configmap.yaml, created-pods: true, expect: {allowed: true}', 'creates no pods'],
    ['filename: deployment.yaml, created-pods: true, operation: update, expect: {allowed: true}', 'cannot be used with --operation update'],
    ['filename: deployment.yaml, created-pods: true, scenarios: all, expect: {allowed: true}', 'has both scenarios and created-pods'],
  ])('is refused: %s', async (fields, says) => {
    const { exitCode, stdout, stderr } = await test(fields);
    expect([exitCode, stdout + stderr]).toEqual([3, expect.stringContaining(says)]);
  });
});
