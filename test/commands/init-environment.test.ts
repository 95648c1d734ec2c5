import { describe, expect, it } from 'vitest';
import { configuration, initialized, masked } from './support/initialized.js';

const program = 'import os\nAdmissionReview\nos.getenv("TLS_CERT"), os.getenv("TLS_KEY"), os.getenv("PORT")\n';

const container = (name: string, env: string): string =>
  `{name: ${name}, image: a, ports: [{containerPort: 8443, name: ${name}}], volumeMounts: [{name: tls, mountPath: /tls/}], env: [${env}]}`;

const deployment = (name: string, app: string, ...containers: readonly string[]): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${app}}}
  template:
    metadata: {labels: {app: ${app}, tier: web}}
    spec: {containers: [${containers.join(', ')}]}
`;

const service =
  'apiVersion: v1\nkind: Service\nmetadata: {name: guard}\nspec: {selector: {app: hook}, ports: [{port: 443, targetPort: hook}]}\n';

const variable = (name: string, value: string): string => `{name: ${name}, value: ${JSON.stringify(value)}}`;

/** Returns the environment of the suite's process. */
async function environmentWith(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const { remove, text } = await initialized({ 'requirements.txt': '', 'app.py': program, 'webhook.yaml': configuration, ...files });
  const suite = masked(text('webhook-tests/first.webhook-test.yaml'));
  remove();
  return /^ {2}env: \{(.*)\}$/m.exec(suite)?.[1]?.replace('TLS_CERT: "<CERTS>/tls.crt", TLS_KEY: "<CERTS>/tls.key", PORT: "<PORT>"', '...');
}

describe('init takes the environment of the process', { timeout: 30_000 }, () => {
  it('from the container with the port of the Service in the workload that it selects', async () => {
    const containers = [container('proxy', variable('A', 'proxy')), container('hook', variable('POOL', 'kubernetes.io/hostname: a'))];
    const files = {
      'other.yaml': deployment('guard', 'other', container('hook', variable('A', 'other'))),
      'deploy/all.yaml': [deployment('admission', 'hook', ...containers), service].join('---\n'),
    };
    expect(await environmentWith(files)).toBe('..., POOL: "kubernetes.io/hostname: a"');
  });

  it('from the workload with the name of the Service if there is no Service', async () => {
    const files = {
      'other.yaml': deployment('other', 'other', container('hook', variable('A', 'other'))),
      'a.yaml': deployment('guard', 'hook', container('hook', variable('A', 'own'))),
    };
    expect(await environmentWith(files)).toBe('..., A: own');
  });

  it('from the file of the configuration, too', async () => {
    const own = deployment('guard', 'hook', container('hook', variable('A', 'own')));
    expect(await environmentWith({ 'webhook.yaml': `${own}---\n${configuration}` })).toBe('..., A: own');
  });

  it('from no workload that is not the webhook', async () => {
    expect(await environmentWith({ 'a.yaml': deployment('shop', 'shop', container('shop', variable('A', 'b'))) })).toBe('...');
  });

  it('without what the suite sets, secrets, references, mounted files, and what only the container has', async () => {
    const variables = [
      ...[variable('TLS_CERT', '/tls/tls.crt'), variable('PORT', '443'), variable('RULES', '/tls/rules.yaml'), variable('FOLDER', '/tls')],
      ...[variable('DB_PASSWORD', 'hunter2-long'), '{name: TOKEN, valueFrom: {secretKeyRef: {name: a, key: b}}}'],
      ...[variable('PATH', '/app/bin'), variable('HTTPS_PROXY', 'http://proxy:3128'), variable('URL', 'https://$(HOST)/')],
      ...[variable('MODE', '/mutate'), variable('EMPTY', ''), '{name: NOTHING}'],
    ];
    const files = { 'a.yaml': deployment('guard', 'hook', container('hook', variables.join(', '))) };
    expect(await environmentWith(files)).toBe('..., MODE: /mutate, EMPTY: ""');
  });
});
