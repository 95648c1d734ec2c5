import { CliError } from '../../../client/cli-error.js';
import { storedManifests } from '../../../client/manifests/manifests.js';
import { listAt, stringAt, type ValueMap } from '../../../go/value.js';
import { resourcesOfDefinition } from '../../../kubernetes/definition-resources.js';
import { kindOf } from '../../../kubernetes/storage.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { isPatchOfDefinition } from '../../work/input/kustomization-patches.js';
import { isConfiguration } from '../../work/webhooks/configurations.js';
import { handledResources } from './handled-resources.js';
import { kustomizationsIn, withKustomizedConversions } from './kustomized-definitions.js';
import type { ManifestFile } from './manifest-file.js';
import type { NewFile } from './project.js';
import { isAside, type ProjectFiles } from './project-files.js';
import { isTemplate, renderedTemplates } from './templates.js';

/** Webhook-related objects in the manifests of a project. */
export interface FoundObjects {
  /** Files with webhook configurations. */
  readonly configurations: readonly ManifestFile[];
  /** Files with configurations that have the name of one of those. */
  readonly sameNames: readonly string[];
  readonly webhooks: readonly FoundWebhook[];
  /** Definitions that the rules of the webhooks need. */
  readonly definitions: readonly ManifestFile[];
  /** Files whose objects may be sent to the webhooks, the most promising first. */
  readonly candidates: readonly ManifestFile[];
  /** Templates of webhook configurations, of Helm or for a shell, that only their own program can render. */
  readonly templates: readonly string[];
  /** Files with what the other templates render to. */
  readonly rendered: readonly NewFile[];
}

/** What the code of a project shows. */
export interface ShownByCode {
  /** Names of resources whose definitions are needed beside those in rules. */
  readonly handled: readonly string[];
  /** Configuration for the paths that it serves, which is written if the project has none. */
  readonly code: NewFile | undefined;
  /** It asks the API server, most likely for its own custom resources. */
  readonly isClient: boolean;
  /** What the project's chart renders to, with the chart's folder as the name. */
  readonly chart: NewFile | undefined;
}

export interface FoundWebhook {
  readonly configuration: ValueMap;
  readonly webhook: ValueMap;
}

/**
 * Reads the manifests of a project. Files with anything else are skipped.
 */
export function foundObjects(files: ProjectFiles, { handled, code, isClient, chart }: ShownByCode): FoundObjects {
  const inChart = (name: string): boolean => chart !== undefined && (chart.name === '.' || name.startsWith(`${chart.name}/`));
  const named = files.names.filter(
    name =>
      !inChart(name) &&
      /\.(ya?ml|json|tpl)(\.(template|tmpl|tpl|in))?$/.test(name) &&
      !/(^|\/)(package|package-lock|tsconfig[^/]*)\.json$/.test(name),
  );
  const texts = named.map(name => ({ name, text: files.text(name) }));
  const own = [...manifestFiles(texts), ...(chart === undefined ? [] : manifestFile(chart.name, chart.text, 'helm'))];
  const kustomizations = kustomizationsIn(files);
  const patches = new Set(kustomizations.flatMap(kustomization => kustomization.patches));
  const isUsed = (object: ValueMap, file: string): boolean =>
    isConfiguration(object) && listAt(object, 'webhooks').length > 0 && !patches.has(file) && !/(^|\/)testdata\//.test(file);
  const templates = texts.filter(({ name, text }) => isTemplate(name, text) && hasConfiguration.test(text));
  const hasOwn = own.some(({ name, manifests }) => manifests.some(({ object }) => isUsed(object, name)));
  const { rendered: fromTemplates, others } = renderedTemplates(hasOwn ? [] : templates);
  const rendered = [...fromTemplates, ...(hasOwn || templates.length > 0 || code === undefined ? [] : [code])];
  const all = [...own, ...manifestFiles(rendered)].sort((a, b) => distance(a.name) - distance(b.name));
  const found = withoutAside(firstOfEach(all, isUsed));
  const configurations = withoutSameNames(found);
  const webhooks = configurations.flatMap(({ manifests }) => manifests.flatMap(({ object }) => webhooksIn(object)));
  const groups = new Set(
    webhooks.flatMap(({ webhook }) => listAt(webhook, 'rules').flatMap(rule => listAt(rule, 'apiGroups').map(String))),
  );
  const isNeeded = (object: ValueMap, file: string): boolean =>
    kindOf(object).kind === 'CustomResourceDefinition' &&
    !isPatchOfDefinition(object) &&
    ((isClient && !isAside(file)) ||
      groups.has(stringAt(object, 'spec', 'group')) ||
      handledResources(resourcesOfDefinition(object), handled).length > 0);
  const known = new Set(found.map(({ name }) => name));
  return {
    configurations,
    sameNames: found.filter(file => !configurations.includes(file)).map(({ name }) => name),
    webhooks,
    definitions: withKustomizedConversions(
      firstOfEach(all, isNeeded).filter(({ name }) => !known.has(name)),
      kustomizations,
    ),
    candidates: all.filter(({ name, manifests }) =>
      manifests.every(({ object }) => !isConfiguration(object) && !isNeeded(object, name) && !isPatchOfDefinition(object)),
    ),
    templates: others.map(({ name }) => name),
    rendered,
  };
}

function manifestFiles(texts: readonly NewFile[]): ManifestFile[] {
  return texts.flatMap(({ name, text }) => (isTemplate(name, text) ? [] : manifestFile(name, text)));
}

function manifestFile(name: string, text: string, builtBy?: 'helm'): ManifestFile[] {
  if (!/^\s*("?apiVersion"?|- apiVersion)\s*:/m.test(text)) return [];
  try {
    const manifests = storedManifests(apiServers(), { source: name, bytes: Buffer.from(text) });
    return manifests.length === 0 || manifests.some(({ object }) => isOfTools(object))
      ? []
      : [{ name, ...(builtBy === undefined ? {} : { builtBy }), manifests }];
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** Kustomizations, suites and the like have an apiVersion, but are not objects of a cluster. */
function isOfTools(object: ValueMap): boolean {
  return /^(kustomize\.config\.k8s\.io|webhook-cli\.dev|kind\.x-k8s\.io|skaffold)\b/.test(stringAt(object, 'apiVersion'));
}

const hasConfiguration = /kind: (Mutating|Validating)WebhookConfiguration/;

function webhooksIn(configuration: ValueMap): FoundWebhook[] {
  if (!isConfiguration(configuration)) return [];
  return listAt(configuration, 'webhooks').flatMap(webhook => (webhook instanceof Map ? [{ configuration, webhook }] : []));
}

/** Returns the files with objects of a kind, except files whose objects are all in other files, too. */
function firstOfEach(files: readonly ManifestFile[], isWanted: (object: ValueMap, file: string) => boolean): ManifestFile[] {
  const seen = new Set<string>();
  return files.filter(({ name, manifests }) => {
    const keys = manifests.filter(({ object }) => isWanted(object, name)).flatMap(({ object }) => foundObjectKeysOf(object));
    const isNew = keys.some(key => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}

/** A configuration is known by its webhooks: kustomizations give it other names. */
function foundObjectKeysOf(object: ValueMap): string[] {
  const { kind } = kindOf(object);
  const webhooks = webhooksIn(object).map(({ webhook }) => `${kind}/${stringAt(webhook, 'name')}`);
  return webhooks.length > 0 ? webhooks : [nameOfObject(object)];
}

/** Leaves out tests of other versions and the like, unless there is nothing else. */
function withoutAside(files: readonly ManifestFile[]): readonly ManifestFile[] {
  const own = files.filter(({ name }) => !isAside(name));
  return own.length > 0 ? own : files;
}

/** Leaves out files with a configuration that a cluster would have in place of an earlier one. */
function withoutSameNames(files: readonly ManifestFile[]): readonly ManifestFile[] {
  const known = new Set<string>();
  return files.filter(({ manifests }) => {
    const names = manifests.filter(({ object }) => isConfiguration(object)).map(({ object }) => nameOfObject(object));
    if (names.some(name => known.has(name))) return false;
    for (const name of names) known.add(name);
    return true;
  });
}

function nameOfObject(object: ValueMap): string {
  return `${kindOf(object).kind}/${stringAt(object, 'metadata', 'name')}`;
}

/** Lower for the webhook's own files; higher for tests, documentation and bundles of all manifests. */
function distance(name: string): number {
  const folders = name.split('/').slice(0, -1);
  const isCentral = /(^|\/)(config|deploy|deployment|manifests|k8s|kubernetes)\//.test(name);
  const isOfKind = /(^|\/)(samples|webhooks?)\//.test(name);
  return folders.length + (isAside(name) ? 20 : 0) - (isCentral ? 5 : 0) - (isOfKind ? 2 : 0);
}
