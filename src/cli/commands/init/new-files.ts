import path from 'node:path';
import { inputFile } from '../../../client/manifests/input-path.js';
import { type Disabled, type LaidOutEntry, layOutYaml } from '../../../encoding/laid-out-yaml.js';
import { hostWithoutBrackets } from '../../../go/net/host-port.js';
import { stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { defaultMinor } from '../../../kubernetes/kubernetes-version.js';
import { configuredServices, conversionServices } from '../../work/webhooks/configured-services.js';
import { certificatesCommand } from '../../work/webhooks/connection-files.js';
import { isOnThisMachine } from '../../work/webhooks/remote-addresses.js';
import type { FirstCase } from './first-case.js';
import type { FoundObjects } from './found-objects.js';
import type { ManifestFile } from './manifest-file.js';
import { certificatesWord, type NewFile, type Project, portWord, type Start, suiteFolder } from './project.js';
import type { Sample } from './samples.js';

export const suiteName = `${suiteFolder}/first.webhook-test.yaml`;

export const configurationName = 'webhook-cli.yaml';

export interface NewSuite {
  readonly project: Project;
  readonly found: FoundObjects;
  readonly first: FirstCase;
}

/** Returns the suite with the files that it needs. */
export function suiteFiles({ project, found, first }: NewSuite): NewFile[] {
  const { start } = project;
  // Kinds of definitions that no API server accepts may have any letters.
  const name = /^[a-z0-9]+$/.test(first.kind) ? first.kind : 'object';
  const manifest = first.file === undefined ? `${name}.yaml` : fromSuite(first.file);
  const repaired = first.samples.flatMap(sample =>
    sample.repaired === undefined ? [] : [{ name: repairedFile(sample), text: sample.repaired }],
  );
  const state = [
    ...[...found.configurations, ...found.definitions].map(file => pathOf(file, fromSuite)),
    ...(first.namespaces === '' ? [] : ['cluster.yaml']),
  ];
  const port = start?.port ?? fixedPort(project);
  const block = [
    ...head,
    ...(start === undefined ? (found.webhooks.length === 0 ? [] : disabledExec(project)) : execOf(start, project)),
    ...(start?.authority === undefined ? [] : [{ key: 'ca-file', value: { flow: fromSuite(start.authority) } }]),
    ...(start === undefined && found.webhooks.length === 0
      ? [{ key: 'demo', value: { flow: true }, comment: 'the embedded webhook; replace it with your own: exec:, url: or services:' }]
      : []),
    ...ifAny('services', mapOf(serviceMappings(found, port).map(({ from, to }) => [from, to]))),
    ...ifAny('urls', mapOf(urlMappings(found, port).map(({ from, to }) => [from, to]))),
    ...ifAny('state', state),
    ...(first.namespace === undefined ? [] : [{ key: 'namespace', value: { flow: first.namespace } }]),
    { key: 'snapshot', value: { flow: false }, comment: 'leave this out to keep a snapshot of what the webhooks do' },
    { key: 'cases', value: { items: casesOf(first, manifest).map(one => ({ block: one })) } },
  ];
  return [
    { name: suiteName, ...layOutYaml({ block }) },
    ...(start?.files ?? []),
    ...found.rendered,
    ...(first.file === undefined ? [{ name: `${suiteFolder}/${manifest}`, text: first.manifest }] : []),
    ...repaired,
    ...(first.namespaces === '' ? [] : [{ name: `${suiteFolder}/cluster.yaml`, text: first.namespaces }]),
  ];
}

/** One case for each sample, and one that converts it; or the one of the manifest. */
function casesOf(first: FirstCase, manifest: string): LaidOutEntry[][] {
  if (first.samples.length === 0) return [caseOf({ ...first, name: first.kind, refusal: undefined }, manifest)];
  return first.samples.flatMap(sample => {
    const file = fromSuite(sample.repaired === undefined ? sample.file : repairedFile(sample));
    return [caseOf(sample, file), ...(sample.isConverted ? [conversionOf(sample.name, file)] : [])];
  });
}

function repairedFile({ name }: Sample): string {
  return `${suiteFolder}/${name.replaceAll(' ', '-')}.yaml`;
}

function caseOf(
  { name, called, mayReinvoke, refusal }: Pick<Sample, 'name' | 'called' | 'mayReinvoke' | 'refusal'>,
  manifest: string,
): LaidOutEntry[] {
  const expect =
    called.length === 0 || mayReinvoke || refusal !== undefined
      ? {
          value: { flow: mapOf([['allowed', true]]) },
          comment: mayReinvoke
            ? 'a webhook with reinvocationPolicy: IfNeeded may be called twice'
            : 'or allowed: false; add called:, message:, object: ...',
        }
      : { value: { flow: mapOf([['called', [...called]]]) }, comment: 'add allowed:, message:, object: ...' };
  return [
    { key: 'name', value: { flow: name } },
    { key: 'filename', value: { flow: manifest } },
    { key: 'expect', ...expect },
  ];
}

function conversionOf(name: string, manifest: string): LaidOutEntry[] {
  return [
    { key: 'name', value: { flow: `${name} in every version` } },
    { key: 'filename', value: { flow: manifest } },
    { key: 'to', value: { flow: 'all' } },
    { key: 'expect', value: { flow: mapOf([['converted', true]]) }, comment: 'add round-trip: true to find fields that get lost' },
  ];
}

function mapOf(entries: Iterable<readonly [string, Value]>): ValueMap {
  return new Map(entries);
}

function ifAny(key: string, value: string[] | ValueMap): LaidOutEntry[] {
  const size = Array.isArray(value) ? value.length : value.size;
  return size === 0 ? [] : [{ key, value: { flow: value } }];
}

function pathOf({ name, builtBy }: ManifestFile, pathTo: (name: string) => string): string {
  return builtBy === undefined ? pathTo(name) : `${builtBy}:${pathTo(name)}`;
}

function fromSuite(name: string): string {
  if (name.startsWith('/')) return name;
  return name.startsWith(`${suiteFolder}/`) ? name.slice(suiteFolder.length + 1) : `../${name}`;
}

const head = [
  { note: 'yaml-language-server: $schema=https://unpkg.com/webhook-cli/schemas/suite.schema.json' },
  { key: 'apiVersion', value: { flow: 'webhook-cli.dev/v1alpha1' } },
  { key: 'kind', value: { flow: 'Suite' } },
];

/** Nothing is built before these programs run: one that does not listen where it should is reported after seconds, not after minutes. */
const startsAtOnce = /^(?:python[\d.]*|node|kopf|flask|gunicorn|uvicorn|hypercorn|waitress-serve|ruby|php) /;

function execOf({ command, env, registersWith }: Start, project: Project): LaidOutEntry[] {
  const isBuilt = !startsAtOnce.test(command);
  const ready = [
    ...(registersWith === undefined ? [] : [['log', registersWith] as const]),
    ...(isBuilt ? [['timeout', '10m'] as const] : []),
  ];
  const block = [
    { key: 'command', value: { flow: command } },
    { key: 'cwd', value: { flow: codeFolder(project) } },
    ...ifAny('env', mapOf(Object.entries(env))),
    ...(isBuilt ? [{ key: 'ready', value: { flow: mapOf(ready) }, comment: 'the first build takes long' }] : ifAny('ready', mapOf(ready))),
  ];
  return [{ key: 'exec', value: { block } }];
}

/** For a start that the files do not show. */
function disabledExec(project: Project): Disabled[] {
  const example = `COMMAND --port=${portWord} --cert-dir=${certificatesWord}`;
  const comment = `${portWord} is a free port, ${certificatesWord} a folder with tls.crt, tls.key and ca.crt; then use ${portWord} in the addresses, too`;
  const block = [
    { key: 'command', value: { flow: project.hint ?? example } },
    { key: 'cwd', value: { flow: codeFolder(project) } },
  ];
  return [{ disabled: [{ key: 'exec', value: { block }, comment }] }];
}

function codeFolder({ folder }: Project): string {
  return folder === undefined ? '..' : `../${folder}`;
}

/** Returns webhook-cli.yaml: the flags of `review` and the others for the webhooks of this project. */
export function newConfigurationFile({
  project,
  found,
  namespace,
}: Omit<NewSuite, 'first'> & { readonly namespace: string | undefined }): NewFile {
  const objects = [...found.configurations, ...found.definitions].map(file => pathOf(file, inputFile));
  const state = namespace === undefined ? objects : [...objects, `${suiteFolder}/cluster.yaml`];
  const port = (project.start?.port === portWord ? undefined : project.start?.port) ?? fixedPort(project) ?? project.usualPort;
  const services = serviceMappings(found, port);
  const urls = urlMappings(found, port);
  const block = [
    { note: 'Defaults of flags, for every command that has them.' },
    { key: 'kubernetes-version', value: { flow: defaultMinor } },
    ...(state.length === 0 && project.start === undefined ? [{ key: 'demo', value: { flow: true } }] : ifAny('state', state)),
    ...(namespace === undefined ? [] : [{ key: 'namespace', value: { flow: namespace } }]),
    ...authorityOf(project, found, services),
    ...ifAny(
      'service',
      services.map(({ from, to }) => `${from}=${to}`),
    ),
    ...ifAny(
      'urls',
      urls.map(({ from, to }) => `${from}=${to}`),
    ),
  ];
  return { name: configurationName, ...layOutYaml({ block }) };
}

/** Without a caBundle in the manifests, which a tool injects in the cluster, the CA is that of the certificates that the user creates here. */
function authorityOf({ start }: Project, found: FoundObjects, services: readonly Mapping[]): LaidOutEntry[] {
  const fixed =
    start?.authority ?? (start?.certificateFolder === undefined ? undefined : path.posix.join(start.certificateFolder, 'ca.crt'));
  if (fixed !== undefined) return [{ key: 'ca-file', value: { flow: inputFile(fixed) } }];
  if (services.length === 0 || found.webhooks.some(({ webhook }) => stringAt(webhook, 'clientConfig', 'caBundle') !== '')) return [];
  const comment = certificatesCommand(services.map(({ from }) => from));
  return [{ key: 'ca-file', value: { flow: 'certs/ca.crt' }, comment }];
}

/** Port of the examples of `certs create` and `serve`. */
const defaultPort = '8443';

/** Variables of suites have no value elsewhere, nor where no process is started. */
function fixedPort({ port }: Project): string | undefined {
  return port === portWord ? undefined : port;
}

interface Mapping {
  readonly from: string;
  readonly to: string;
}

/** Returns the services of the configurations, with the address where they are reached on this machine. */
function serviceMappings(found: FoundObjects, port = defaultPort): Mapping[] {
  const definitions = found.definitions.flatMap(({ manifests }) => manifests.map(({ object }) => object));
  const all = new Set([...configuredServices(objectsOfProject(found)), ...conversionServices(definitions)]);
  const services = [...all].filter(isServiceName);
  return services.map(service => ({ from: service, to: `https://127.0.0.1:${port}` }));
}

/** No API server accepts a configuration with another one, whose `=` would begin the address. */
function isServiceName(service: string): boolean {
  return /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(service);
}

/** The same for URLs of other machines: the tests of a project must not call its production address. */
function urlMappings({ webhooks }: FoundObjects, port = defaultPort): Mapping[] {
  const urls = webhooks.map(({ webhook }) => stringAt(webhook, 'clientConfig', 'url')).filter(url => URL.canParse(url));
  const remote = urls
    .map(url => new URL(url))
    .filter(({ protocol, hostname }) => /^https?:$/.test(protocol) && !isOnThisMachine(hostWithoutBrackets(hostname)));
  // In FROM=TO, the first one ends at the first `=`; without a path it is for every path of its host.
  const froms = new Set(remote.map(({ origin, pathname }) => origin + (pathname.includes('=') ? '/' : pathname)));
  return [...froms].filter(from => !from.includes('=')).map(from => ({ from, to: `https://127.0.0.1:${port}${new URL(from).pathname}` }));
}

/** Returns the objects in the files of configurations. */
export function objectsOfProject({ configurations }: FoundObjects): ValueMap[] {
  return configurations.flatMap(({ manifests }) => manifests.map(({ object }) => object));
}
