import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const configuration = (more: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  clientConfig: {url: "https://127.0.0.1:1/validate"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
${more}`;
const { folder, remove } = temporaryFolder({
  'excluded.yaml': configuration('  namespaceSelector: {matchLabels: {team: none}}\n'),
  'down.yaml': configuration(''),
  'namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n',
  'pod.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "nginx:1.27"}]}\n',
});
afterAll(remove);

const review = (state: string, ...more: string[]) =>
  runCommand(Review, ['-f', 'pod.yaml', '--state', state, '--state', 'namespace.yaml', ...more], { cwd: folder });

describe('review --require-called', () => {
  it.each([
    ['excluded.yaml', '# webhooks: 0 called, 1 skipped', '  require-called: no webhook was called'],
    [
      'down.yaml',
      '# webhooks: 0 called, 0 skipped, 1 ignored after a failure',
      '  require-called: guard.example.com failed, and its failurePolicy Ignore lets the call pass',
    ],
  ])('makes a call of which no webhook decided a failure: %s', async (state, count, finding) => {
    const [plain, strict] = [await review(state), await review(state, '--require-called')];
    expect([plain.exitCode, strict.exitCode]).toEqual([0, 1]);
    expect(plain.stdout.trimEnd().split('\n').at(-1)).toBe(count);
    expect(strict.stdout.split('\n')).toContain(finding);
  });

  it('shows what a selector wants beside the labels that were found', async () => {
    expect((await review('excluded.yaml')).stdout).toContain(
      'skipped by namespaceSelector: namespace default has the labels kubernetes.io/metadata.name=default, and it wants team=none\n',
    );
  });

  it('changes nothing about calls that webhooks answer', async () => {
    const { exitCode } = await runCommand(Review, ['--demo', '-f', 'pod.yaml', '--state', 'namespace.yaml', '--require-called'], {
      cwd: folder,
    });
    expect(exitCode).toBe(0);
  });
});
