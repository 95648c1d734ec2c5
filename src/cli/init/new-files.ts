import { defaultMinor } from '../../kubernetes/kubernetes-version.js';
import { configuredServices } from '../webhooks/configured-services.js';
import type { FirstCase } from './first-case.js';
import type { FoundObjects } from './found-objects.js';
import { type NewFile, type Project, portWord, suiteFolder } from './project.js';

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
  const services = serviceMappings(found, start?.port ?? project.port);
  const lines = [
    ...head,
    ...(start === undefined ? [] : execLines(start)),
    ...(start === undefined && found.webhooks.length === 0
      ? ['demo: true  # the embedded webhook; replace it with your own: exec:, url: or services:']
      : []),
    ...(services.length === 0 ? [] : [`services: {${services.map(({ service, url }) => `${service}: ${quoted(url)}`).join(', ')}}`]),
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
  return name.startsWith(`${suiteFolder}/`) ? name.slice(suiteFolder.length + 1) : `../${name}`;
}

const head = [
  '# yaml-language-server: $schema=https://unpkg.com/webhook-cli/schemas/suite.schema.json',
  'apiVersion: webhook-cli.dev/v1alpha1',
  'kind: Suite',
];

function execLines({ command, env, registersWith }: NonNullable<Project['start']>): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}: ${quoted(value)}`);
  return [
    'exec:',
    `  command: ${quoted(command)}`,
    '  cwd: ..',
    ...(variables.length === 0 ? [] : [`  env: {${variables.join(', ')}}`]),
    `  ready: {${registersWith === undefined ? '' : `log: ${quoted(registersWith)}, `}timeout: 10m}  # the first build takes long`,
  ];
}

/** Returns webhook-cli.yaml: the flags of `review` and the others for the webhooks of this project. */
export function configurationFile({ project, found }: Omit<NewSuite, 'first'>): NewFile {
  const state = [...found.configurations, ...found.definitions].map(({ name }) => name);
  const services = serviceMappings(found, project.start?.port === portWord ? undefined : (project.start?.port ?? project.port));
  const lines = [
    '# Defaults of flags, for every command that has them.',
    `kubernetes-version: ${defaultMinor}`,
    ...(state.length > 0 ? [`state: [${state.join(', ')}]`] : project.start === undefined ? ['demo: true'] : []),
    ...(services.length === 0 ? [] : [`service: [${services.map(({ service, url }) => quoted(`${service}=${url}`)).join(', ')}]`]),
  ];
  return { name: 'webhook-cli.yaml', text: `${lines.join('\n')}\n` };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Port of the examples of `certs create` and `serve`. */
const defaultPort = '8443';

interface ServiceMapping {
  readonly service: string;
  readonly url: string;
}

/** Returns the services of the configurations, with the address where they are reached on this machine. */
function serviceMappings({ configurations }: FoundObjects, port = defaultPort): ServiceMapping[] {
  const objects = configurations.flatMap(({ manifests }) => manifests.map(({ object }) => object));
  return configuredServices(objects).map(service => ({ service, url: `https://127.0.0.1:${port}` }));
}
