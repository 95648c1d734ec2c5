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
  const documents = servedPaths(source).map(served => configuration(served, { start, rules: rulesFor(resourcesNamed(source)) }));
  return {
    name: `${suiteFolder}/configuration.yaml`,
    text: `# Made from the paths in ${sources.slice(0, 3).join(', ')}: set the rules of your cluster's configuration.\n${documents.join('---\n')}`,
  };
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

function rulesFor(resources: readonly StarterResource[]): string {
  const operations = 'operations: [CREATE, UPDATE]';
  if (resources.length === 0) return `[{apiGroups: ["*"], apiVersions: ["*"], ${operations}, resources: ["*"]}]`;
  const groups = [...new Set(resources.map(({ group }) => group))];
  const rules = groups.map(group => {
    const own = resources.filter(resource => resource.group === group).map(({ resource }) => resource);
    return `{apiGroups: ["${group}"], apiVersions: ["*"], ${operations}, resources: [${own.join(', ')}]}`;
  });
  return `[${rules.join(', ')}]`;
}

interface Configured {
  readonly start: Start | undefined;
  readonly rules: string;
}

function configuration({ path, isMutating }: ServedPath, { start, rules }: Configured): string {
  const name =
    path
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'webhook';
  const client =
    start?.authority === undefined
      ? `service: {namespace: ${service.namespace}, name: ${service.name}, path: ${path}}`
      : `url: "https://127.0.0.1:${start.port}${path}"`;
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ${isMutating ? 'Mutating' : 'Validating'}WebhookConfiguration
metadata: {name: ${name}}
webhooks:
- name: ${name}.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {${client}}
  rules: ${rules}
`;
}
