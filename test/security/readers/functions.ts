import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { serialize } from 'node:v8';
import { fragmentFor, inputIn } from '../../../pages/playground/address.js';
import { played } from '../../../pages/playground/engine.js';
import { startInput } from '../../../pages/playground/examples.js';
import { findWorkspaceFiles, readWorkspaceFile } from '../../../src/cli/commands/lsp/workspace-files.js';
import { StartError } from '../../../src/cli/work/apiserver/start-error.js';
import { readStateManifests } from '../../../src/cli/work/input/state-cache.js';
import { CliError } from '../../../src/client/cli-error.js';
import { inClusterConfig } from '../../../src/cluster/kubeconfig/in-cluster.js';
import { startEtcd } from '../../../src/envtest/etcd/health-server.js';
import { readKeptObjects } from '../../../src/envtest/etcd/kept-objects.js';
import { writeFolder } from '../../../src/envtest/folder/write-folder.js';
import { runKubeApiserver } from '../../../src/envtest/run-kube-apiserver.js';
import { tokenWebhook } from '../../../src/envtest/token-webhook.js';
import { webhookCalls } from '../../../src/envtest/webhook-credentials.js';
import { freePort } from '../../../src/suites/process/start-process.js';
import { writeMaterials } from '../../envtest/support/control-plane.js';
import { startEditor } from '../../language-server/editor.js';
import { root, testSurroundings } from '../../support/run-command.js';
import { server } from '../../support/server.js';
import type { Outcome, Reader } from './reader.js';

const fine: Outcome = { stdout: '', stderr: '', exitCode: 0 };

/** An error for the user is an outcome. */
export async function outcomeOf(read: () => unknown): Promise<Outcome> {
  try {
    await read();
    return fine;
  } catch (error) {
    if (error instanceof CliError || error instanceof StartError) return { ...fine, stderr: error.message, exitCode: 3 };
    throw error;
  }
}

const written = (folder: string, name: string, input: Uint8Array | string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, input);
  return file;
};

const audit: { readonly policy: string; readonly tokens: string } = JSON.parse(
  readFileSync(path.join(root, 'fixtures/envtest/audit.json'), 'utf8'),
);
const materials = writeMaterials();
const admission = (configuration: object): Buffer =>
  Buffer.from(JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins: [configuration] }));
const podSecurity = {
  ...{ apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration' },
  ...{ defaults: { enforce: 'baseline', 'enforce-version': 'latest' }, exemptions: { namespaces: ['a'], usernames: ['b'] } },
};
const pems = [materials.clientCa.pem, materials.clientCa.keyPem, materials.accountKey].map(text => Buffer.from(text));
const tokenServer = Buffer.from(
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a', contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }] },
    ...{ clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1' } }], users: [{ name: 'a', user: {} }] },
  }),
);

const webhookUsers = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Config' },
  users: [
    { name: '127.0.0.1:1', user: { 'client-certificate': 'tls', 'client-key': 'tls', tokenFile: 'tls' } },
    { name: '*', user: { username: 'a', password: 'b', 'client-certificate-data': 'YQ==', 'client-key-data': 'YQ==' } },
  ],
});

const authentication = {
  ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', anonymous: { enabled: true } },
  jwt: [
    {
      issuer: { url: 'https://127.0.0.1:1', audiences: ['a'] },
      claimMappings: { username: { expression: 'claims.sub' }, groups: { claim: 'groups', prefix: '' } },
      claimValidationRules: [{ claim: 'a', requiredValue: 'b' }, { expression: 'claims.exp > 1.0' }],
      userValidationRules: [{ expression: "user.username != ''" }],
    },
  ],
};

/** Flags of kube-apiserver with files, and valid files. */
const flagsWithFiles: readonly (readonly [names: readonly string[], samples: readonly Buffer[], sources: readonly string[]])[] = [
  [['client-ca-file'], pems, ['src/cli/work/apiserver/start-error.ts']],
  [['requestheader-client-ca-file'], pems, ['src/cli/work/apiserver/start-error.ts']],
  [['service-account-key-file', 'service-account-signing-key-file'], pems, ['src/cli/work/apiserver/start-error.ts']],
  [['tls-cert-file', 'tls-private-key-file'], pems, ['src/envtest/serving-options.ts']],
  [['token-auth-file'], [Buffer.from(audit.tokens)], ['src/cli/work/apiserver/start-error.ts']],
  [['audit-policy-file'], [Buffer.from(audit.policy)], ['src/cli/work/apiserver/start-error.ts']],
  [['authentication-token-webhook-config-file'], [tokenServer], ['src/cluster/kubeconfig/read-kubeconfig.ts']],
  [
    ['admission-control-config-file'],
    [
      admission({ name: 'PodSecurity', configuration: podSecurity }),
      admission({ name: 'PodSecurity', path: 'other' }),
      admission({ name: 'ResourceQuota', configuration: { limitedResources: [{ resource: 'pods', matchContains: ['a'] }] } }),
      admission({ name: 'PodNodeSelector', configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } } }),
      Buffer.from(JSON.stringify(podSecurity)),
    ],
    ['src/envtest/admission-configuration.ts'],
  ],
  [
    ['authentication-config'],
    [Buffer.from(JSON.stringify(authentication))],
    ['src/envtest/openid/configured-authentication.ts', 'src/envtest/openid/follow-configuration.ts'],
  ],
];

/** Starts kube-apiserver of envtest with the input in the file of a flag, and ends it. */
async function controlPlane(names: readonly string[], input: Buffer, folder: string): Promise<Outcome> {
  const file = written(folder, 'input', input);
  written(folder, 'other', input);
  const output = { stdout: '', stderr: '' };
  const onInterrupt = (cleanUp: () => Promise<void>) => {
    void cleanUp();
    return () => {};
  };
  const own = ['service-account-key-file', 'service-account-signing-key-file', 'client-ca-file'].filter(name => !names.includes(name));
  const argv = [
    ...own.map(name => `--${name}=${path.join(materials.folder, name === 'client-ca-file' ? 'client-ca.crt' : 'sa.key')}`),
    ...names.map(name => `--${name}=${file}`),
    ...[
      '--service-account-issuer=https://a',
      '--bind-address=127.0.0.1',
      `--secure-port=${await freePort()}`,
      `--cert-dir=${materials.folder}`,
    ],
    ...[
      '--audit-log-path=-',
      '--etcd-servers=http://127.0.0.1:1',
      '--service-cluster-ip-range=10.7.0.0/24',
      '--requestheader-username-headers=X',
    ],
  ];
  const exitCode = await runKubeApiserver(argv, 'v1.36', testSurroundings({ cwd: folder, onInterrupt }, output));
  return { ...output, exitCode };
}

const object = new Map<string, unknown>([['kind', 'Pod']]);

/** Answers every request with the same bytes. */
async function withAnswer<T>(answer: Buffer, ask: (url: string) => Promise<T>): Promise<T> {
  const asked = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
  await new Promise(resolve => asked.once('listening', resolve));
  try {
    return await ask(`http://127.0.0.1:${(asked.address() as AddressInfo).port}`);
  } finally {
    asked.closeAllConnections();
    asked.close();
  }
}

const stateText = Array.from(
  { length: 30 },
  (_, i) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${i}}\ndata: {a: ${'x'.repeat(2500)}}\n`,
).join('---\n');

/** Readers of files, streams and addresses, through the function that reads them. */
export const functionReaders: readonly Reader[] = [
  ...flagsWithFiles.map(
    ([names, samples, sources]): Reader => ({
      name: names.map(name => `--${name}`).join(' and '),
      sources,
      samples,
      read: (input, folder) => controlPlane(names, input, folder),
    }),
  ),
  {
    name: 'the pair of etcd',
    sources: ['src/envtest/etcd/health-server.ts'],
    samples: pems,
    read: (input, folder) => {
      written(folder, 'input', input);
      const argv = ['--listen-client-urls=https://127.0.0.1:0', '--cert-file=input', '--key-file=input'];
      return outcomeOf(async () => (await startEtcd(argv, folder, { write: () => {} })).close());
    },
  },
  {
    name: 'the folder of etcd',
    sources: ['src/envtest/etcd/kept-objects.ts'],
    read: input => outcomeOf(() => withAnswer(input, url => readKeptObjects([url]))),
  },
  {
    name: 'the objects that etcd keeps',
    sources: ['src/envtest/etcd/kept-objects.ts'],
    samples: [serialize({ revision: 5, objects: [object] })],
    read: (input, folder) => {
      written(folder, 'webhook-cli-objects', input);
      return outcomeOf(async () => {
        const { contents } = await withAnswer(Buffer.from(folder), url => readKeptObjects([url]));
        if (contents !== undefined) throw new Error('an input that was not kept was believed');
      });
    },
  },
  {
    name: 'answers of token webhooks',
    sources: ['src/envtest/token-webhook.ts'],
    samples: [
      Buffer.from('{"status": {"authenticated": true, "user": {"username": "jane", "uid": "1", "groups": ["a"], "extra": {"x": ["y"]}}}}'),
      Buffer.from('{"status": {"authenticated": true, "audiences": ["a"], "user": null}}'),
    ],
    read: (input, folder) =>
      outcomeOf(() =>
        withAnswer(input, async url => {
          written(folder, 'kc', tokenServer.toString().replace('http://127.0.0.1:1', url));
          const ask = tokenWebhook(new Map([['authentication-token-webhook-config-file', ['kc']]]), [], folder)?.('token', []);
          const answer = await ask;
          if (answer === undefined || 'errors' in answer) return;
          const { username, uid, groups, extra } = answer.user;
          const texts = [username, uid, ...groups, ...[...extra.values()].flat()];
          if (!texts.every(text => typeof text === 'string')) throw new Error('a user has other values than texts');
        }),
      ),
  },
  {
    name: 'credentials for webhooks',
    sources: ['src/envtest/webhook-credentials.ts'],
    samples: [tokenServer, Buffer.from(webhookUsers)],
    read: (input, folder) => {
      written(folder, 'tls', materials.clientCa.pem);
      const kubeConfigFile = written(folder, 'kc', input);
      return outcomeOf(async () => {
        const call = webhookCalls(new Map([['MutatingAdmissionWebhook', new Map([['kubeConfigFile', kubeConfigFile]])]]));
        await call({
          ...{ phase: 'mutating', configuration: 'a', webhook: 'a', url: 'https://127.0.0.1:1/', address: { host: '127.0.0.1', port: 1 } },
          ...{ serverName: '127.0.0.1', caBundle: undefined, timeoutSeconds: 1, deadlineMs: 1000 },
          ...{ apiVersion: 'admission.k8s.io/v1', uid: 'u', body: '{}' },
        });
      });
    },
  },
  {
    name: 'files of an editor',
    sources: ['src/language-server/workspace/workspace.ts', 'src/cli/commands/lsp/workspace-files.ts'],
    read: async (input, folder) => {
      written(folder, 'a.yaml', input);
      const editor = await startEditor({ folder, surroundings: { workspaceFiles: findWorkspaceFiles, readFile: readWorkspaceFile } });
      await editor.show(`file://${path.join(folder, 'b.yaml')}`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n');
      await editor.show(`file://${path.join(folder, 'a.yaml')}`, input.toString('utf8'));
      return { ...fine, exitCode: (await editor.close()) ? 0 : 70 };
    },
  },
  {
    name: 'the cache of states',
    sources: ['src/cli/work/input/state-cache.ts'],
    read: async (input, folder) => {
      const cache = path.join(folder, 'states');
      const files = [{ source: 'a.yaml', bytes: Buffer.from(stateText) }];
      const { createHash } = await import('node:crypto');
      const hash = createHash('sha256').update(`${files[0]?.bytes.length}:`).update(stateText).digest('hex');
      written(cache, `${hash}.json`, input);
      return outcomeOf(async () => {
        if ((await readStateManifests(server, files, cache)).length !== 30) throw new Error('an input was believed');
      });
    },
  },
  {
    name: 'executables of envtest',
    sources: ['src/envtest/folder/write-folder.ts'],
    read: (input, folder) => {
      const file = written(folder, 'envtest/etcd', input);
      return outcomeOf(async () => {
        await writeFolder(path.dirname(file), new Map([['etcd', 'own']]));
        if (readFileSync(file, 'utf8') !== 'own') throw new Error('a damaged executable stayed');
      });
    },
  },
  {
    name: 'the service account of a pod',
    sources: ['src/cluster/kubeconfig/in-cluster.ts'],
    read: (input, folder) => {
      for (const name of ['token', 'ca.crt', 'namespace']) written(folder, `account/${name}`, input);
      const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
      return outcomeOf(() => inClusterConfig(env, path.join(folder, 'account')));
    },
  },
  {
    name: 'the address of the playground',
    sources: ['pages/playground/address.ts'],
    samples: [],
    read: async input => outcomeOf(async () => inputIn(`#${input.toString('base64url')}`, startInput)),
  },
  {
    name: 'the editors of the playground',
    sources: ['pages/playground/engine.ts'],
    read: async input => {
      const text = input.toString('utf8');
      const { problems } = await played({
        ...startInput,
        manifest: text,
        policies: text,
        configuration: text,
        definitions: text,
        answers: text,
      });
      const bug = problems.find(({ message }) => /cannot read|is not a function|not iterable|undefined/i.test(message));
      if (bug !== undefined) throw new Error(bug.message);
      return { ...fine, stdout: await fragmentFor(startInput).then(() => '') };
    },
  },
];

export const closeFunctionReaders = (): void => materials.remove();
