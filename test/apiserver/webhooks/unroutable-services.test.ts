import { expect, it } from 'vitest';
import Match from '../../../commands/match.js';
import Review from '../../../commands/review.js';
import { lintExample } from '../../support/lint-example.js';
import { runCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
`;

const example = lintExample('unroutable-service');

/** Nothing listens there. */
const mapping = ['--service', 'guard/guard=https://127.0.0.1:1'];

async function review(part: 'bad' | 'good'): Promise<string> {
  const files = temporaryFolder({ 'web.yaml': deployment, 'state.yaml': example[part] });
  const argv = ['-f', `${files.folder}/web.yaml`, '--state', `${files.folder}/state.yaml`, ...mapping];
  const { stdout } = await runCommand(Review, argv);
  files.remove();
  return stdout;
}

it('fails as the API server does where the Service has no such port, also with a mapping', async () => {
  const url = 'https://guard.guard.svc:9443/?timeout=10s';
  expect(await review('bad')).toContain(`failed to call webhook: Post "${url}": no service port 9443 found for service "guard"\n`);
});

it('calls the address of the mapping where the Service has the port', async () => {
  expect(await review('good')).toContain('dial tcp 127.0.0.1:1: connect: connection refused');
});

it('lists a webhook whose Service has no such port, because its rules match', async () => {
  const files = temporaryFolder({ 'web.yaml': deployment, 'state.yaml': example.bad });
  const argv = ['-f', `${files.folder}/web.yaml`, '--state', `${files.folder}/state.yaml`];
  const { stdout, exitCode } = await runCommand(Match, argv);
  files.remove();
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('guard/guard.example.com  yes')]);
});
