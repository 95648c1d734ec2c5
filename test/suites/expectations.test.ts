import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {demo.webhook-cli.dev/sidecar: "true"}}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "${image}"}]}\n`;

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder({ 'good.yaml': pod('nginx:1'), 'bad.yaml': pod('nginx') }));
});
afterAll(() => remove());

/** The lines below the case for an expectation, without positions. */
async function failures(manifest: string, expectation: string): Promise<string[]> {
  const suite = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\ndemo: true\nsnapshot: false\ncases:\n- name: it\n  filename: ${manifest}.yaml\n  expect: {${expectation}}\n`;
  writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite);
  const { stdout, stderr } = await runCommand(Test, ['s.webhook-test.yaml'], { cwd: folder, env: { XDG_CACHE_HOME: '' } });
  expect([stderr, stdout]).toEqual(['', expect.stringMatching(/^[01] passed, [01] failed/m)]);
  const lines = stdout.split('\n').filter(line => /^ {4}/.test(line) && !/note:|webhook-test\.yaml:/.test(line));
  return lines.map(line => line.slice(4));
}

const refusal = 'admission webhook "demo.webhook-cli.dev" denied the request: container "c" must name a version of its image, not "nginx"';

describe('an expectation', { timeout: 60_000 }, () => {
  it.each([
    ['good', 'allowed: true, code: 201'],
    ['bad', 'allowed: false, code: 403, reason: Forbidden'],
    ['bad', `message: '${refusal}'`],
    ['bad', 'message: {matches: not "nginx"$}'],
    ['good', 'warnings: [{matches: ^container "c"}]'],
    ['good', 'called: [demo.webhook-cli.dev, demo.webhook-cli.dev]'],
    [
      'good',
      'object: [{path: "spec.containers[*].image", matches: ":"}, {path: ".spec.containers[1].name", equals: demo-sidecar}, {path: spec.volumes, absent: true}]',
    ],
    ['good', 'object: [{path: "metadata.labels", equals: {demo.webhook-cli.dev/reviewed: "yes"}}, {path: spec.priority, equals: 0}]'],
    ['good', 'auditAnnotations: {mutation.webhook.admission.k8s.io/round_0_index_0: {matches: mutated}}'],
  ])('of %s holds: %s', async (manifest, expectation) => {
    expect(await failures(manifest, expectation)).toEqual([]);
  });

  it.each([
    [
      'bad',
      'allowed: true',
      [
        'allowed: expected the call to be allowed, but it was refused (403)',
        `  Error from server (Forbidden): error when creating "bad.yaml": ${refusal}`,
      ],
    ],
    ['good', 'allowed: false', ['allowed: expected refusal, but the call was allowed']],
    ['good', 'code: 200', ['code: code is 201 instead of 200', 'expected 200', 'actual   201']],
    ['good', 'reason: Forbidden', ['reason: reason is empty instead of Forbidden', 'expected Forbidden', 'actual   ']],
    ['bad', 'message: never', ['message: message differs', 'expected never', `actual   ${refusal}`]],
    [
      'good',
      'warnings: []',
      ['warnings: expected 0 warnings, got 1', 'expected ', 'actual   container "c" has no limits for cpu and memory'],
    ],
    ['good', 'object: [{path: "spec.contianers[0].image", equals: x}]', ['object: spec.contianers[0].image is absent; only spec exists']],
    [
      'good',
      'object: [{path: "spec.containers[*].image", matches: ^nginx}]',
      ['object: spec.containers[1].image does not match', 'expected /^nginx/', 'actual   registry.example.com/demo-sidecar:1.0.0'],
    ],
    ['good', 'object: [{path: spec.nodeName, equals: null}]', ['object: spec.nodeName is absent; only spec exists']],
    ['bad', 'object: [{path: spec, absent: true}]', ['object: missing spec: the client gets no object']],
    [
      'good',
      'auditAnnotations: {a/b: c}',
      [expect.stringMatching(/^auditAnnotations: the audit annotation a\/b is absent; only (patch|mutation)\./)],
    ],
    [
      'good',
      'patch: [{op: add, path: /metadata/labels, value: {demo.webhook-cli.dev/reviewed: "no"}}]',
      expect.arrayContaining(['patch: patch[0].value["demo.webhook-cli.dev/reviewed"] is "yes" instead of "no"']),
    ],
  ])('of %s fails with a message: %s', async (manifest, expectation, lines) => {
    expect(await failures(manifest, expectation)).toEqual(lines);
  });
});
