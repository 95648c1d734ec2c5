import { afterAll, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const containers = 'containers: [{name: web, image: web}]';
const manifestOf = (apiVersion: string, kind: string): string => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: web}\n`;

const { folder, remove } = temporaryFolder({
  'old.yaml': manifestOf('apps/v1beta1', 'Deployment'),
  'moved.yaml': manifestOf('extensions/v1beta1', 'Ingress'),
  'bare.yaml': manifestOf('v1', 'Deployment'),
  'kind.yaml': manifestOf('apps/v1', 'Deploymnt'),
  'other.yaml': manifestOf('serving.knative.dev/v1', 'Service'),
  'field.yaml': `${manifestOf('v1', 'Pod')}spec: {${containers.replace('containers', 'container')}}\n`,
  'inner.yaml': `${manifestOf('v1', 'Pod')}spec: {${containers.replace('image', 'imag')}}\n`,
  'far.yaml': `${manifestOf('v1', 'Pod')}spec: {${containers}, xyz: 1}\n`,
});
afterAll(remove);

async function readStderr(file: string): Promise<string> {
  const { stderr } = await runCommand(Match, ['--demo', '-f', file], { cwd: folder });
  return stderr;
}

it.each([
  ['old.yaml', 'use apiVersion: apps/v1'],
  ['moved.yaml', 'use apiVersion: networking.k8s.io/v1'],
  ['bare.yaml', 'use apiVersion: apps/v1'],
  ['kind.yaml', 'did you mean Deployment?, or pass the CustomResourceDefinition with --state'],
  ['other.yaml', 'pass the CustomResourceDefinition with --state'],
])('an unknown kind in %s is an error with what to do: %s', async (file, advice) => {
  expect((await readStderr(file)).trimEnd().endsWith(`; ${advice}`)).toBe(true);
});

it.each([
  ['field.yaml', 'spec.container', 'containers'],
  ['inner.yaml', 'spec.containers[0].imag', 'image'],
])('an unknown field in %s is refused, with the nearest name', async (file, field, similar) => {
  const stderr = await readStderr(file);
  expect(stderr).toContain(`strict decoding error: unknown field "${field}"\n`);
  expect(stderr).toContain(`\nnote: unknown field ${field}: did you mean "${similar}"?\n`);
});

it('an unknown field that is like no other is refused without a note', async () => {
  const stderr = await readStderr('far.yaml');
  expect(stderr).toContain('unknown field "spec.xyz"');
  expect(stderr).not.toContain('note:');
});
