import { existsSync } from 'node:fs';
import path from 'node:path';
import { listAt, stringAt } from '../../../go/value.js';
import { shellPath, shellWord } from '../../../writers/shell.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { findCausesOfRefusal } from '../../work/refusals/refusals.js';
import { isConfiguration } from '../../work/webhooks/configurations.js';
import { configuredServices } from '../../work/webhooks/configured-services.js';
import type { FoundObjects } from './found-objects.js';
import { objectsOfProject, suiteName } from './new-files.js';
import { packageJson } from './package-json.js';
import { installCommand } from './pipelines.js';
import { certificatesWord, type Project } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { type Sample, versionsWithoutSample } from './samples.js';

/** What was found, and whether a manifest reaches the webhooks. */
export interface Findings {
  readonly project: Project;
  readonly found: FoundObjects;
  readonly files: ProjectFiles;
  readonly hasCase: boolean;
  readonly samples: readonly Sample[];
}

/** Returns what a user has to add before the suite can run, in sentences. */
export async function findMissingParts({ project, found, files, hasCase, samples }: Findings): Promise<string[]> {
  const { start, fixedFiles = [] } = project;
  const registersItself = start?.registersWith !== undefined;
  if (found.webhooks.length === 0 && !registersItself) return ['a webhook configuration: the suite calls the embedded webhook until then'];
  return [
    ...(await findRefusals(found)),
    ...found.sameNames.map(
      file => `a suite for the webhooks in ${file}: it has a configuration of the same name as another one, and a cluster has one`,
    ),
    ...(hasCase ? [] : [missingManifest(start?.handles ?? [], kindsOfRules(found))]),
    ...samples.flatMap(missingFields),
    ...versionsWithoutSample(samples),
    ...missingDependencies(project, files),
    ...(start?.certificateFolder === undefined ? [] : missingCertificate(start.certificateFolder, files.folder, found)),
    ...(start === undefined ? [`the command that starts the webhook with a certificate: ${whereToWrite(fixedFiles)}`] : []),
  ];
}

/** Only Node's: the commands that start Go, Rust and Java projects fetch theirs, and Python has too many places for them. */
function missingDependencies({ language, folder = '' }: Project, { folder: root, names, text }: ProjectFiles): string[] {
  const manifest = path.posix.join(folder, 'package.json');
  if (language !== 'node' || !names.includes(manifest) || existsSync(path.join(root, folder, 'node_modules'))) return [];
  if ((packageJson({ names, text }, manifest)?.dependencies.size ?? 0) === 0) return [];
  const own = names.filter(name => path.posix.dirname(name) === path.posix.dirname(manifest)).map(name => path.posix.basename(name));
  return [`installed dependencies: ${folder === '' ? '' : `cd ${shellPath(folder)} && `}${installCommand('node', own)}`];
}

/** The user creates it: it is outside of the project, or must not get into its repository. */
function missingCertificate(folder: string, root: string, found: FoundObjects): string[] {
  if (['tls.crt', 'ca.crt'].every(name => existsSync(path.resolve(root, folder, name)))) return [];
  const services = configuredServices(objectsOfProject(found)).map(service => ` --service ${shellWord(service)}`);
  const create = `webhook-cli certs create --out-dir ${shellPath(folder)}${services.join('')}`;
  return [
    `a certificate in ${folder}, where the program always reads it: ${create}, or let a variable set the folder, and run init again without ${suiteName}`,
  ];
}

function missingFields({ file, repaired, refusal, mayBeCompleted }: Sample): string[] {
  if (repaired !== undefined)
    return [
      `a spec in ${file}, which the API server refuses without one: the suite has a copy with an empty spec; fill in one, and remove the other`,
    ];
  return refusal === undefined || mayBeCompleted ? [] : [`a sample that the API server accepts: ${file}: ${refusal}`];
}

/** Returns the kinds of the definitions that rules of the webhooks name: `Bundle (trust.example.com/v1)`. */
function kindsOfRules({ definitions, webhooks }: FoundObjects): string[] {
  const rules = webhooks.flatMap(({ webhook }) => listAt(webhook, 'rules'));
  const named = new Set(
    rules.flatMap(rule => listAt(rule, 'apiGroups').flatMap(group => listAt(rule, 'resources').map(name => `${name}.${group}`))),
  );
  return definitions
    .flatMap(({ manifests }) => manifests.map(({ object }) => object))
    .filter(object => named.has(`${stringAt(object, 'spec', 'names', 'plural')}.${stringAt(object, 'spec', 'group')}`))
    .map(object => {
      const versions = listAt(object, 'spec', 'versions').map(version => stringAt(version, 'name'));
      return `${stringAt(object, 'spec', 'names', 'kind')} (${stringAt(object, 'spec', 'group')}/${versions.join(', ')})`;
    });
}

function missingManifest(handles: readonly string[], kinds: readonly string[]): string {
  if (handles.length > 0)
    return `a manifest of ${handles.join(' or ')}, and its definition if it is a custom resource: add them, and run init again`;
  if (kinds.length > 0) return `a manifest of ${kinds.join(' or ')}, for which a webhook is called: add one, and run init again`;
  return 'a manifest that reaches a webhook: add one, and run init again';
}

function whereToWrite(fixedFiles: readonly string[]): string {
  const paths = fixedFiles.length === 0 ? '' : `; its source reads ${fixedFiles.join(' and ')}, the suite's pair is in ${certificatesWord}`;
  return `write it as exec: in ${suiteName}${paths}`;
}

async function findRefusals({ configurations }: FoundObjects): Promise<string[]> {
  const sentences: string[] = [];
  for (const { name, manifests } of configurations) {
    const found = (
      await Promise.all(
        manifests.filter(({ object }) => isConfiguration(object)).map(({ object }) => findCausesOfRefusal(apiServers(), object)),
      )
    ).flat();
    const [first] = found.filter(({ finding }) => finding.severity === 'error');
    if (first !== undefined) sentences.push(`a configuration that the API server accepts: ${name}: ${first.finding.message}`);
  }
  return sentences;
}
