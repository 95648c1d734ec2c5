import { writeFileSync } from 'node:fs';
import Apiserver from '../../../commands/apiserver.js';
import CertsCreate from '../../../commands/certs/create.js';
import CertsInject from '../../../commands/certs/inject.js';
import CertsInspect from '../../../commands/certs/inspect.js';
import CertsVerify from '../../../commands/certs/verify.js';
import Fuzz from '../../../commands/fuzz.js';
import Init from '../../../commands/init.js';
import Match from '../../../commands/match.js';
import Review from '../../../commands/review.js';
import Serve from '../../../commands/serve.js';
import StateCommand from '../../../commands/state.js';
import { as, authority, type CommandReader, fixture, pems, reader, reviewed } from './command-reader.js';
import type { Reader } from './reader.js';

const kubeconfig = (user: object, cluster: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a', contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }] },
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1', ...cluster } }],
      users: [{ name: 'a', user }],
    }),
  );
const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: v}
webhooks:
- {name: w.example.com, clientConfig: {url: "https://127.0.0.1:1/"}, admissionReviewVersions: [v1], sideEffects: None}
`;

const atNobody = ['--url', 'https://127.0.0.1:1/', '-f', 'pod.yaml', '-o', 'name'];

const settings: readonly CommandReader[] = [
  {
    ...{ name: 'a configuration file that is found', command: Review, argv: reviewed, sources: ['src/cli/options/trust/found-file.ts'] },
    samples: [Buffer.from('output: name\nkubernetes-version: v1.36\nstate: [pod.yaml]\n')],
    prepare: as('webhook-cli.yaml'),
  },
  {
    name: 'kubeconfigs',
    command: Match,
    argv: ['-f', 'pod.yaml', '--kubeconfig', 'input'],
    sources: ['src/cluster/kubeconfig/read-kubeconfig.ts'],
    samples: [kubeconfig({ token: 'a' }), kubeconfig({ exec: { apiVersion: 'v1' } })],
  },
  {
    ...{
      name: 'files of kubeconfigs',
      command: Match,
      argv: ['-f', 'pod.yaml', '--kubeconfig', 'kc'],
      sources: ['src/cluster/kubeconfig/cluster-settings.ts', 'src/cluster/credentials/credentials.ts'],
    },
    samples: pems,
    prepare: (_, file) =>
      writeFileSync(
        file('kc'),
        kubeconfig({ tokenFile: 'input', 'client-certificate': 'input', 'client-key': 'input' }, { 'certificate-authority': 'input' }),
      ),
  },
  {
    ...{
      name: 'output of exec plugins',
      command: Match,
      argv: ['-f', 'pod.yaml', '--kubeconfig', 'kc'],
      sources: ['src/cluster/credentials/exec-plugin.ts'],
    },
    samples: [Buffer.from('{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"a"}}')],
    prepare: (_, file) =>
      writeFileSync(
        file('kc'),
        kubeconfig({
          exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/cat', args: [file('input')], interactiveMode: 'Never' },
        }),
      ),
  },
  {
    name: 'the kubeconfig of apiserver',
    command: Apiserver,
    argv: ['--kubeconfig', 'input'],
    sources: ['src/cli/work/apiserver/kubeconfig-file.ts'],
    samples: [kubeconfig({})],
  },
  { name: 'tokens of users', command: Apiserver, argv: ['--token', 'jane=@input'], sources: ['src/cli/work/apiserver/users.ts'] },
  {
    name: 'a state of a cluster in files',
    command: StateCommand,
    argv: ['--kubeconfig', 'input', '-o', 'state', '--check'],
    sources: ['src/cli/commands/state/run-state.ts'],
    prepare: as('state/pods.yaml'),
  },
  {
    name: 'webhooks of a cluster',
    command: Review,
    argv: [...reviewed, '--kubeconfig', 'input'],
    sources: ['src/cli/work/webhooks/cluster-webhooks.ts'],
    prepare: as('certs/ca.crt'),
  },
  {
    name: 'projects',
    command: Init,
    argv: ['project', '--dry-run'],
    sources: ['src/cli/commands/init/project-files.ts'],
    prepare: as(
      'project/go.mod',
      'project/package.json',
      'project/pom.xml',
      'project/main.go',
      'project/server.py',
      'project/Cargo.toml',
      'project/config/webhook.yaml',
      'project/Makefile',
      'project/Dockerfile',
    ),
  },
  {
    name: 'suites that init has written',
    command: Init,
    argv: ['project'],
    sources: ['src/cli/commands/init/run-init.ts'],
    prepare: as('project/webhook-cli.yaml', 'project/pod.webhook-test.yaml', 'project/package.json'),
  },
  {
    ...{
      name: 'sources of a webhook',
      command: Fuzz,
      argv: ['--exec', 'cat server.js', '--runs', '1', '--url', 'https://127.0.0.1:1/'],
      sources: ['src/cli/commands/fuzz/source-words.ts'],
    },
    samples: [Buffer.from('if (object.metadata.labels.team === "a") deny("x", 1000)\n')],
    prepare: as('server.js', 'other.js'),
  },
];

const certificates: readonly CommandReader[] = [
  {
    name: 'a CA',
    command: Review,
    argv: [...atNobody, '--ca-file', 'input'],
    sources: ['src/cli/work/webhooks/connection-files.ts'],
    samples: pems,
  },
  {
    name: 'a client certificate',
    command: Review,
    argv: [...atNobody, '--client-certificate', 'input', '--client-key', 'input'],
    sources: ['src/cli/work/webhooks/connection-files.ts'],
    samples: pems,
  },
  {
    name: 'a token',
    command: Review,
    argv: [...atNobody, '--token-file', 'input'],
    sources: ['src/cli/work/webhooks/connection-files.ts'],
  },
  { name: 'certificates', command: CertsInspect, argv: ['input'], sources: ['src/cli/commands/certs/run-inspect.ts'], samples: pems },
  {
    name: 'certificates and CAs',
    command: CertsInspect,
    argv: ['input', '--ca-file', 'input', '--key', 'input'],
    sources: ['src/cli/commands/certs/run-inspect.ts'],
    samples: pems,
  },
  {
    name: 'certificates to verify',
    command: CertsVerify,
    argv: ['--cert-dir', 'pair', '-f', 'input'],
    sources: ['src/cli/commands/certs/run-verify.ts', 'src/cli/commands/certs/verify-certificates.ts'],
    samples: [...pems, Buffer.from(configuration)],
    prepare: as('pair/tls.crt', 'pair/tls.key', 'pair/ca.crt'),
  },
  {
    name: 'a CA to inject',
    command: CertsInject,
    argv: ['-f', 'configuration.yaml', '--ca-file', 'input'],
    sources: ['src/cli/commands/certs/run-inject.ts'],
    samples: pems,
    prepare: (_, file) => writeFileSync(file('configuration.yaml'), configuration),
  },
  {
    name: 'manifests to inject a CA into',
    command: CertsInject,
    argv: ['-f', 'input', '--ca-file', 'ca.crt'],
    sources: ['src/cli/commands/certs/run-inject.ts'],
    samples: [Buffer.from(configuration)],
    prepare: (_, file) => writeFileSync(file('ca.crt'), authority.pem),
  },
  {
    name: 'a folder of certificates',
    command: CertsCreate,
    argv: ['--out-dir', 'made', '--dns', 'a'],
    sources: ['src/certificates/certificate-folder.ts', 'src/certificates/publish-folder.ts'],
    samples: [...pems, Buffer.from('{"madeBy":"webhook-cli","digests":{"ca.crt":"a"},"trustPreviousUntil":"x"}')],
    prepare: as('made/ca.crt', 'made/ca.key', 'made/tls.crt', 'made/tls.key', 'made/.webhook-cli.json'),
  },
  {
    name: 'the pair of a server',
    command: Serve,
    argv: ['--cert-dir', 'pair'],
    sources: ['src/cli/work/serving/serving-pair.ts'],
    samples: pems,
    prepare: as('pair/tls.crt', 'pair/tls.key', 'pair/ca.crt'),
  },
  {
    name: 'the pair of an API server',
    command: Apiserver,
    argv: ['--cert-dir', 'pair'],
    sources: ['src/cli/commands/apiserver/run-apiserver.ts'],
    samples: pems,
    prepare: as('pair/tls.crt', 'pair/tls.key', 'pair/ca.crt'),
  },
  {
    name: 'the pair of handlers',
    command: Serve,
    argv: ['--handler', 'injector', '--config', 'config.yaml', '--cert-dir', 'pair', '--client-ca-name', 'ca.crt'],
    sources: ['src/webhook-server/serving/key-pair.ts', 'src/webhook-server/serving/webhook-server.ts'],
    samples: pems,
    prepare: (input, file) => {
      as('pair/tls.crt', 'pair/tls.key', 'pair/ca.crt')(input, file);
      writeFileSync(file('config.yaml'), fixture('injector/inject-config.yaml'));
    },
  },
  {
    name: 'the configuration of the injector',
    command: Serve,
    argv: ['--handler', 'injector', '--config', 'input', '--values', 'values.yaml'],
    sources: ['src/cli/commands/serve/serve-injector.ts', 'src/webhook-server/injector/injector.ts'],
    samples: [fixture('injector/inject-config.yaml')],
    prepare: as('values.yaml'),
  },
  {
    name: 'scripts of endpoints',
    command: Serve,
    argv: ['--script', 'input'],
    sources: ['src/cli/work/serving/scripted-server.ts'],
    samples: ['cut-short', 'reset-in-handshake', 'sidecar-each-time', 'slow-then-well'].map(name => fixture(`endpoints/${name}.yaml`)),
  },
];

/** Readers of settings, projects and certificates, through the command that reads them. */
export const settingsReaders: readonly Reader[] = [...settings, ...certificates].map(reader);
