import { describe, expect, it } from 'vitest';
import Diagnose from '../../../commands/diagnose.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../../src/cli/commands/diagnose/run-diagnose.js';
import '../../../src/cli/work/input/read-manifests.js';
import { runCommand } from '../../support/run-command.js';

const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
  spec: {
    replicas: 2,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'web', image: 'web', imagePullPolicy: 'Sometimes', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
        restartPolicy: 'Always',
      },
    },
  },
};

async function diagnosed(text: string) {
  const { stdout, exitCode } = await runCommand(Diagnose, [text, '-f', '-', '-o', 'json'], { stdin: JSON.stringify(deployment) });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

const violating = (containers: string) =>
  `pods "web-1" is forbidden: violates PodSecurity "baseline:latest": non-default capabilities (${containers} must not include "NET_ADMIN" in securityContext.capabilities.add)`;
const invalid = (error: string) => `The Deployment "web" is invalid: ${error}`;
const container = 'spec.template.spec.containers[0]';

describe('the manifest of a call', () => {
  it.each([
    [violating('container "istio-init"'), 'webhook', 'the container istio-init is not in the manifest: a mutating webhook added it'],
    [violating('container "web"'), 'manifest', 'web is a container of the manifest'],
    [
      violating('containers "web", "istio-init"'),
      null,
      'the container istio-init is not in the manifest: a mutating webhook added it; the others, web, are in the manifest',
    ],
    [
      'pods "web-1" is forbidden: failed quota: q: must specify limits.cpu for: istio-proxy',
      'webhook',
      'the container istio-proxy is not in the manifest',
    ],
    ['pods "web-1" is forbidden: failed quota: q: must specify limits.cpu for: web', 'manifest', 'web is a container of the manifest'],
    [
      'pods "web-1" is forbidden: exceeded quota: q, requested: requests.cpu=1100m, used: requests.cpu=1, limited: requests.cpu=2',
      null,
      'ask for less requests.cpu than the 1100m',
    ],
    [
      'pods "web-1" is forbidden: exceeded quota: q, requested: requests.cpu=100m, used: requests.cpu=2, limited: requests.cpu=2',
      'manifest',
      'asks for as much',
    ],
    [
      invalid(`${container}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always"`),
      'manifest',
      `the manifest sets ${container}.imagePullPolicy to Sometimes`,
    ],
    [
      invalid(`${container}.imagePullPolicy: Unsupported value: "Rarely": supported values: "Always"`),
      'webhook',
      'a mutating webhook changed it to Rarely',
    ],
    [invalid(`${container}.image: Required value`), 'webhook', `the manifest sets ${container}.image: a mutating webhook removed it`],
    [invalid('spec.selector: Required value'), 'manifest', 'the manifest does not set spec.selector'],
    [
      invalid('spec.template.spec.containers[1].image: Required value'),
      'webhook',
      'the manifest has only 1 of containers: a mutating webhook added the one at spec.template.spec.containers[1].image',
    ],
    ['Pod "web-1" is invalid: spec.containers[1].image: Required value', 'webhook', 'the manifest has only 1 of containers'],
    [
      'Pod "web-1" is invalid: spec.dnsPolicy: Unsupported value: "X": supported values: "None"',
      null,
      'the value is a default, or from a mutating webhook',
    ],
  ])('%s: %s', async (text, fault, why) => {
    const found = await diagnosed(text);
    expect(found.fault).toBe(fault);
    expect(found.why).toContain(why);
    expect(found.try).not.toContain('-f');
  });

  it('is asked for where the fault depends on it', async () => {
    const { stdout } = await runCommand(Diagnose, [violating('container "a"')]);
    expect(stdout).toContain('fault      not shown by this text');
    expect(stdout).toContain('pass the manifest with -f: a container that is not in it was added by a mutating webhook'.slice(0, 30));
  });

  it('changes nothing about other errors', async () => {
    expect(await diagnosed('admission webhook "a.example.com" denied the request: no')).toMatchObject({
      cause: 'denied',
      fault: 'manifest',
    });
  });
});
