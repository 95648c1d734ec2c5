import { stringAt, type ValueMap } from '../../../go/value.js';
import { defaultMinor } from '../../../kubernetes/kubernetes-version.js';
import { configuredServices } from '../../work/webhooks/configured-services.js';
import { isOnThisMachine } from '../../work/webhooks/remote-addresses.js';
import type { FirstCase } from './first-case.js';
import type { FoundObjects } from './found-objects.js';
import { certificatesWord, type NewFile, type Project, portWord, type Start, suiteFolder } from './project.js';

export const suiteName = `${suiteFolder}/first.webhook-test.yaml`;

export interface NewSuite {
  readonly project: Project;
  readonly found: FoundObjects;
  readonly first: FirstCase;
}

/** Returns the suite with the files that it needs. */
export function suiteFiles({ project, found, first }: NewSuite): NewFile[] {
  const { start } = project;
  const manifest = first.file === undefined ? `${first.kind}.yaml` : fromSuite(first.file);
  const state = [
    ...[...found.configurations, ...found.definitions].map(({ name }) => fromSuite(name)),
    ...(first.namespaces === '' ? [] : ['cluster.yaml']),
  ];
  const port = start?.port ?? fixedPort(project);
  const services = serviceMappings(found, port);
  const urls = urlMappings(found, port);
  const lines = [
    ...head,
    ...(start === undefined ? (found.webhooks.length === 0 ? [] : commentedExec(project)) : execLines(start, project)),
    ...(start?.authority === undefined ? [] : [`ca-file: ${fromSuite(start.authority)}`]),
    ...(start === undefined && found.webhooks.length === 0
      ? ['demo: true  # the embedded webhook; replace it with your own: exec:, url: or services:']
      : []),
    ...(services.length === 0 ? [] : [`services: {${services.map(({ from, to }) => `${from}: ${quoted(to)}`).join(', ')}}`]),
    ...(urls.length === 0 ? [] : [`urls: {${urls.map(({ from, to }) => `${quoted(from)}: ${quoted(to)}`).join(', ')}}`]),
    ...(state.length === 0 ? [] : [`state: [${state.join(', ')}]`]),
    ...(first.namespace === undefined ? [] : [`namespace: ${first.namespace}`]),
    'snapshot: false  # leave this out to keep a snapshot of what the webhooks do',
    'cases:',
    `- name: ${first.kind}`,
    `  filename: ${manifest}`,
    ...(first.called.length === 0 || first.mayReinvoke
      ? [`  expect: {allowed: true}${first.mayReinvoke ? '  # a webhook with reinvocationPolicy: IfNeeded may be called twice' : ''}`]
      : [`  expect: {called: [${first.called.join(', ')}]}  # add allowed:, message:, object: ...`]),
  ];
  return [
    { name: suiteName, text: `${lines.join('\n')}\n` },
    ...(start?.files ?? []),
    ...found.rendered,
    ...(first.file === undefined ? [{ name: `${suiteFolder}/${manifest}`, text: first.manifest }] : []),
    ...(first.namespaces === '' ? [] : [{ name: `${suiteFolder}/cluster.yaml`, text: first.namespaces }]),
  ];
}

function fromSuite(name: string): string {
  if (name.startsWith('/')) return name;
  return name.startsWith(`${suiteFolder}/`) ? name.slice(suiteFolder.length + 1) : `../${name}`;
}

const head = [
  '# yaml-language-server: $schema=https://unpkg.com/webhook-cli/schemas/suite.schema.json',
  'apiVersion: webhook-cli.dev/v1alpha1',
  'kind: Suite',
];

function execLines({ command, env, registersWith }: Start, project: Project): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}: ${quoted(value)}`);
  return [
    'exec:',
    `  command: ${quoted(command)}`,
    `  cwd: ${codeFolder(project)}`,
    ...(variables.length === 0 ? [] : [`  env: {${variables.join(', ')}}`]),
    `  ready: {${registersWith === undefined ? '' : `log: ${quoted(registersWith)}, `}timeout: 10m}  # the first build takes long`,
  ];
}

/** For a start that the files do not show. */
function commentedExec(project: Project): string[] {
  const example = `COMMAND --port=${portWord} --cert-dir=${certificatesWord}`;
  return [
    `# exec:  # ${portWord} is a free port, ${certificatesWord} a folder with tls.crt, tls.key and ca.crt; then use ${portWord} in the addresses, too`,
    `#   command: ${quoted(project.hint ?? example)}`,
    `#   cwd: ${codeFolder(project)}`,
  ];
}

function codeFolder({ folder }: Project): string {
  return folder === undefined ? '..' : `../${folder}`;
}

/** Returns webhook-cli.yaml: the flags of `review` and the others for the webhooks of this project. */
export function configurationFile({
  project,
  found,
  namespace,
}: Omit<NewSuite, 'first'> & { readonly namespace: string | undefined }): NewFile {
  const objects = [...found.configurations, ...found.definitions].map(({ name }) => name);
  const state = namespace === undefined ? objects : [...objects, `${suiteFolder}/cluster.yaml`];
  const port = project.start?.port === portWord ? undefined : (project.start?.port ?? fixedPort(project));
  const services = serviceMappings(found, port);
  const urls = urlMappings(found, port);
  const lines = [
    '# Defaults of flags, for every command that has them.',
    `kubernetes-version: ${defaultMinor}`,
    ...(state.length > 0 ? [`state: [${state.join(', ')}]`] : project.start === undefined ? ['demo: true'] : []),
    ...(namespace === undefined ? [] : [`namespace: ${namespace}`]),
    ...(project.start?.authority === undefined ? [] : [`ca-file: ${project.start.authority}`]),
    ...(services.length === 0 ? [] : [`service: [${services.map(({ from, to }) => quoted(`${from}=${to}`)).join(', ')}]`]),
    ...(urls.length === 0 ? [] : [`urls: [${urls.map(({ from, to }) => quoted(`${from}=${to}`)).join(', ')}]`]),
  ];
  return { name: 'webhook-cli.yaml', text: `${lines.join('\n')}\n` };
}

function quoted(text: string): string {
  return JSON.stringify(text);
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
  return configuredServices(objectsOf(found)).map(service => ({ from: service, to: `https://127.0.0.1:${port}` }));
}

/** The same for URLs of other machines: the tests of a project must not call its production address. */
function urlMappings({ webhooks }: FoundObjects, port = defaultPort): Mapping[] {
  const urls = webhooks.map(({ webhook }) => stringAt(webhook, 'clientConfig', 'url')).filter(url => URL.canParse(url));
  const remote = urls.map(url => new URL(url)).filter(({ hostname }) => !isOnThisMachine(hostname.replace(/^\[|\]$/g, '')));
  const froms = new Set(remote.map(({ origin, pathname }) => origin + pathname));
  return [...froms].map(from => ({ from, to: `https://127.0.0.1:${port}${new URL(from).pathname}` }));
}

/** Returns the objects in the files of configurations. */
export function objectsOf({ configurations }: FoundObjects): ValueMap[] {
  return configurations.flatMap(({ manifests }) => manifests.map(({ object }) => object));
}
