import { type LaidOutEntry, layOutYaml } from '../../../encoding/laid-out-yaml.js';
import { toValue, type Value } from '../../../go/value.js';
import { type NewFile, type Start, suiteFolder } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { type StarterResource, starterResources } from './starter-manifests.js';

/** The service of a configuration that is written for code without one. */
const service = { namespace: 'default', name: 'webhook' };

const sourceFile = /\.(py|[cm]?[jt]s|go|rs|java|kt|rb|cs|php|ex|scala)$/;
const testFile = /(^|\/)(tests?|docs|examples?|dist|build)\/|(^|\/)test_|[._]test\.|\.d\.ts$/;

/** Returns the sources of a project without tests and documentation. */
export function ownSources({ names }: Pick<ProjectFiles, 'names'>): string[] {
  return names.filter(name => sourceFile.test(name) && !testFile.test(name));
}

/** Returns the sources that read or write AdmissionReviews: code of a webhook, in whatever language. */
export function webhookSources({ names, text }: ProjectFiles): string[] {
  return ownSources({ names }).filter(name => /AdmissionReview|admission\.k8s\.io/.test(text(name)));
}

interface ServedPath {
  readonly path: string;
  readonly isMutating: boolean;
}

/**
 * Returns a configuration for the paths that the code of a webhook serves; undefined if it serves none. A program with its own
 * certificates, which are rarely for a service, is called by the address of this machine.
 */
export function configurationOfCode(files: ProjectFiles, start: Start | undefined): NewFile | undefined {
  const sources = webhookSources(files);
  if (sources.length === 0) return undefined;
  const source = sources.map(files.text).join('\n');
  const rules = rulesFor(resourcesNamed(source));
  const note = { note: `Made from the paths in ${sources.slice(0, 3).join(', ')}: set the rules of your cluster's configuration.` };
  const texts = servedPaths(source).map((served, i) => {
    const entries = configuration(served, { start, rules });
    return layOutYaml({ block: i === 0 ? [note, ...entries] : entries }).text;
  });
  return { name: `${suiteFolder}/configuration.yaml`, text: texts.join('---\n') };
}

/** Paths that code compares a request with, or registers a handler for: `'/validate'`, `"/mutate-v1-pod"`. */
function servedPaths(source: string): ServedPath[] {
  const named = [...source.matchAll(/["'`](\/[A-Za-z][\w/-]*)["'`]/g)].map(([, path = '']) => path);
  const known = [...new Set(named)].filter(
    path => /valid|mutat|admi|inject|default|webhook|review|policy/i.test(path) && !isFile(path) && !isInObject(path),
  );
  // A server that does not look at the path answers at every path.
  const paths = known.length === 0 ? ['/'] : known;
  const patches = /patchType|JSONPatch/.test(source);
  return paths.map(path => ({ path, isMutating: /mutat|inject|default/i.test(path) || (patches && !/valid/i.test(path)) }));
}

function isFile(path: string): boolean {
  return /^\/(etc|var|tmp|run|usr|opt|home|app|certs?)(\/|$)/.test(path);
}

/** Paths in patches: `/metadata/labels/admitted`. */
function isInObject(path: string): boolean {
  return /^\/(metadata|spec|status|data|webhooks)\//.test(path);
}

/** Common resources that code compares with, or decodes: `"pods"`, `'Pod'`, `corev1.Pod{}`, `Mutator<Pod>`; those of workloads if there are any. */
function resourcesNamed(source: string): StarterResource[] {
  const texts = [...source.matchAll(/["'`](\w+)["'`]|v1\.(\w+)(?:\{\}|\s*$)|[<(](\w+)[>)]/gm)];
  const names = new Set(texts.map(([, quoted, decoded, parameter]) => quoted ?? decoded ?? parameter));
  const named = starterResources.filter(({ resource, kind }) => names.has(resource) || names.has(kind));
  const workloads = named.filter(({ isWorkload }) => isWorkload);
  return workloads.length > 0 ? workloads : named;
}

function rulesFor(resources: readonly StarterResource[]): Value {
  const groups = resources.length === 0 ? ['*'] : [...new Set(resources.map(({ group }) => group))];
  return toValue(
    groups.map(group => {
      const own = resources.filter(resource => resource.group === group).map(({ resource }) => resource);
      return { apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: own.length === 0 ? ['*'] : own };
    }),
  );
}

/** A program whose port is a variable gets that of the URL, where it is then started. */
function urlPort({ port = '' }: Start): string {
  return /^\d+$/.test(port) ? port : '8443';
}

interface Configured {
  readonly start: Start | undefined;
  readonly rules: Value;
}

function configuration({ path, isMutating }: ServedPath, { start, rules }: Configured): LaidOutEntry[] {
  const name =
    path
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'webhook';
  const client = start?.authority === undefined ? { service: { ...service, path } } : { url: `https://127.0.0.1:${urlPort(start)}${path}` };
  const webhook = [
    { key: 'name', value: { flow: `${name}.example.com` } },
    { key: 'admissionReviewVersions', value: { flow: ['v1'] } },
    { key: 'sideEffects', value: { flow: 'None' } },
    { key: 'clientConfig', value: { flow: toValue(client) } },
    { key: 'rules', value: { flow: rules } },
  ];
  return [
    { key: 'apiVersion', value: { flow: 'admissionregistration.k8s.io/v1' } },
    { key: 'kind', value: { flow: `${isMutating ? 'Mutating' : 'Validating'}WebhookConfiguration` } },
    { key: 'metadata', value: { flow: toValue({ name }) } },
    { key: 'webhooks', value: { items: [{ block: webhook }] } },
  ];
}
