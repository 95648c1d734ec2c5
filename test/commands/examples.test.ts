import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { converters, handlers } from '../../src/webhook-server/handlers/handlers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { kubeconfigText, type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandClass, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Example {
  readonly id: string;
  readonly command: CommandClass;
  readonly text: string;
}

const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: w.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: team, name: webhook}}
`;

const files = readdirSync(path.join(root, 'commands'), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
const commands = await Promise.all(
  files.map(async file => {
    const loaded: { default: CommandClass & { readonly examples?: readonly unknown[] } } = await import(
      /* @vite-ignore */ pathToFileURL(path.join(root, 'commands', file)).href
    );
    return { id: file.replace(/\.ts$/, '').replaceAll(path.sep, ' '), command: loaded.default };
  }),
);
const examples: readonly Example[] = commands.flatMap(({ command }) =>
  (command.examples ?? []).map(example => ({ ...commandOf(textOf(example)), text: textOf(example) })),
);

function isListed({ command }: { readonly command: CommandClass & { readonly hidden?: boolean } }): boolean {
  return command.hidden !== true;
}

/** Returns the command of an example, which may be about another command than the one whose help has it. */
function commandOf(text: string): { readonly id: string; readonly command: CommandClass } {
  const words = ourPart(text).split(' ').slice(1);
  const found = [2, 1].flatMap(count => commands.find(({ id }) => id === words.slice(0, count).join(' ')) ?? [])[0];
  if (found === undefined) throw new Error(`no command for ${text}`);
  return found;
}

/** Returns our part of a pipe. */
function ourPart(text: string): string {
  return (text.split('|').find(part => part.trim().startsWith('webhook-cli ')) ?? '').trim();
}

function textOf(example: unknown): string {
  const text =
    typeof example === 'string'
      ? example
      : typeof example === 'object' && example !== null && 'command' in example
        ? String(example.command)
        : '';
  return text.replaceAll('<%= config.bin %>', 'webhook-cli');
}

let server: RunningServer;
let cluster: LocalCluster;
let certs: Awaited<ReturnType<typeof issueServingPair>>;

beforeAll(async () => {
  certs = await issueServingPair({ dns: ['webhook.team.svc', 'guard.shop.svc', 'converter.shop.svc'], ips: [] }, new Date());
  server = await startServer({
    handler: handlers.demo,
    convert: converters.demo,
    cert: certs.cert,
    key: certs.key,
    host: '127.0.0.1',
    port: 0,
  });
  cluster = await startLocalCluster([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } },
    {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: 'demo' } },
      webhooks: [
        {
          ...{ name: 'demo.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' },
          clientConfig: { url: `https://127.0.0.1:${server.port}/validate`, caBundle: Buffer.from(certs.ca).toString('base64') },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        },
      ],
    },
  ]);
});
afterAll(async () => {
  await server.close();
  await cluster.close();
});

/** Arguments of the command, with the addresses of the test server. */
function argumentsOf({ id, text }: Example): string[] {
  // Other commands may not be installed.
  const words = (ourPart(text).match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(word => (word === 'go' ? process.execPath : word));
  const last = words.indexOf(process.execPath);
  return (last < 0 ? words : [...words.slice(0, last + 1), '--version'])
    .slice(1 + id.split(' ').length)
    .map(word => word.replace(/^(['"])(.*)\1$/, '$2').replace(/(127\.0\.0\.1|localhost):(8443|9443)/, `$1:${server.port}`));
}

/** Files that the examples use. */
const ownFiles = {
  'pod.yaml': 'manifests/pod-sidecar.yaml',
  manifests: 'suites/manifests',
  'webhook-tests': 'suites/demo',
  cluster: 'cluster',
  reports: 'reports',
  'cases.json': 'cases/selection.json',
  'handlers.ts': 'handlers/handlers.ts',
  'istio-sidecar-injector.yaml': 'injector/istio-sidecar-injector-canary.yaml',
  'endpoint.yaml': 'endpoints/cut-short.yaml',
  'offers.yaml': 'conversion/offers.yaml',
  recordings: 'recordings',
  'review.json': 'recordings/create-pod-shop-web-mutating-9d93117f7a03.yaml',
  'offer.yaml': 'conversion/offer.yaml',
  'definition.yaml': 'definitions/costly.yaml',
  audit: 'replay',
  'audit.log': 'replay/audit.log',
  'policy.yaml': 'replay/policy.yaml',
};

function folderFor({ id }: Example): ReturnType<typeof temporaryFolder> {
  const own = id === 'certs create' ? {} : { 'certs/tls.crt': certs.cert, 'certs/tls.key': certs.key, 'certs/ca.crt': certs.ca };
  const { ca, server: running } = cluster;
  const kubeconfig = kubeconfigText({ server: running.url, ca, users: { staging: 'admin-token' } });
  const made = temporaryFolder({ ...own, 'webhooks.yaml': configuration, 'clusters.yaml': kubeconfig });
  for (const [name, fixture] of Object.entries(ownFiles)) {
    cpSync(path.join(root, 'fixtures', fixture), path.join(made.folder, name), { recursive: true });
  }
  return made;
}

describe('the help of every command', () => {
  it.each(commands.filter(isListed).map(({ id, command }) => [id, command] as const))('%s has examples', (_, command) => {
    expect((command.examples ?? []).length).toBeGreaterThan(0);
  });

  it.each(examples.map(example => [example.text, example] as const))('%s', async (_, example) => {
    const { folder, remove } = folderFor(example);
    const argv = argumentsOf(example).map((word, i, all) =>
      ['serve', 'proxy'].includes(example.id) && all[i - 1] === '--port' ? '0' : word,
    );
    const { exitCode, stderr } = await runCommand(example.command, argv, {
      cwd: folder,
      stdin: configuration,
      env: { KUBECONFIG: 'clusters.yaml' },
      // Prompts need a terminal.
      ...(example.id === 'snapshot review' ? { keys: '', isTerminal: true } : {}),
      onInterrupt: cleanUp => {
        // A server runs until it is interrupted; with a command, until the command has ended.
        if (['serve', 'proxy', 'dev', 'fuzz', 'playground'].includes(example.id) || (example.id === 'apiserver' && !argv.includes('--')))
          void cleanUp();
        return () => {};
      },
    });
    remove();
    expect([exitCode, stderr]).toEqual([
      expect.toSatisfy((code: number) => code === 0 || code === 1),
      expect.not.stringContaining('error:'),
    ]);
  });
});
