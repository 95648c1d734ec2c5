import { isDeepStrictEqual } from 'node:util';
import { servedBy } from '../../../apiserver/call/served-resources.js';
import { stateOf } from '../../../client/manifests/cluster-state.js';
import type { Manifest } from '../../../client/manifests/manifests.js';
import { writeYaml } from '../../../encoding/yaml-writer.js';
import { copyOf, isMap, listAt, mapAt, stringAt, toValue, type ValueMap } from '../../../go/value.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import { keyOfKind, kindOf } from '../../../kubernetes/storage.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import type { FoundObjects, FoundWebhook } from './found-objects.js';
import { handledResources } from './handled-resources.js';
import type { ManifestFile } from './manifest-file.js';
import { findSamples, mayReinvoke, type Sample } from './samples.js';
import { starterManifest, starterOf, starterPod } from './starter-manifests.js';
import { type TriedCall, type TriedCluster, tryCall } from './try-call.js';
import { wantedLabels, wantedNamespace } from './wanted-labels.js';

/** A manifest that reaches webhooks. */
export interface FirstCase {
  /** The project's file; undefined for a manifest that is written beside the suite. */
  readonly file: string | undefined;
  readonly manifest: string;
  /** Kind of its object, in lower case. */
  readonly kind: string;
  /** Names of the webhooks that are called, in order. */
  readonly called: readonly string[];
  /** May one of them be called again, depending on what changes the object after it? */
  readonly mayReinvoke: boolean;
  /** The project's samples of the custom resource of the manifest, which get a case each in place of this one; empty for other kinds. */
  readonly samples: readonly Sample[];
  /** Namespaces that must exist, as YAML; empty if those of every cluster are enough. */
  readonly namespaces: string;
  readonly namespace: string | undefined;
}

/** Max number of files to try. */
const maxTried = 200;

/** Returns the first manifest of the project, or else a new one, that reaches a webhook; undefined if none does. Nothing is sent. */
export async function findFirstCase(found: FoundObjects, surroundings: Surroundings): Promise<FirstCase | undefined> {
  const given = found.candidates.slice(0, maxTried).flatMap(file => file.manifests.map(manifest => ({ file, manifest })));
  const cluster = [...found.configurations, ...found.definitions].flatMap(({ manifests }) => manifests.map(({ object }) => object));
  const own = found.webhooks.flatMap(webhook => starterFor(webhook));
  const named = kindsNamed(found, cluster, surroundings);
  const isNamed = ({ manifest }: { readonly manifest: Manifest }): boolean => named.has(keyOfKind(kindOf(manifest.object)));
  const others = given.filter(one => !isNamed(one));
  for (const { file, manifest } of [...given.filter(isNamed), ...own, ...others]) {
    const { namespace, tried } = await tryNamespaces(manifest, { cluster, webhooks: found.webhooks }, surroundings);
    if (tried.called.length === 0) continue;
    const samples = await findSamples(found, { first: manifest, cluster, namespace }, surroundings);
    return { ...caseOf({ file, object: manifest.object, namespace }), ...tried, mayReinvoke: mayReinvoke(tried, found), samples };
  }
  return undefined;
}

interface TriedNamespace {
  readonly namespace: ValueMap | undefined;
  readonly tried: TriedCall;
}

/** Tries the namespace of the object, and then a new one: charts usually exclude the namespace in which they are installed. */
async function tryNamespaces(
  manifest: Manifest,
  { cluster, webhooks }: Pick<TriedCluster, 'cluster'> & Pick<FoundObjects, 'webhooks'>,
  surroundings: Surroundings,
): Promise<TriedNamespace> {
  const namespace = namespaceFor(manifest.object, webhooks);
  const tried = await tryCall(manifest, { cluster, namespace }, surroundings);
  if (tried.called.length > 0 || namespace !== undefined || stringAt(manifest.object, 'metadata', 'namespace') !== '')
    return { namespace, tried };
  const other = namespaceCalled(newNamespace, new Map());
  return { namespace: other, tried: await tryCall(manifest, { cluster, namespace: other }, surroundings) };
}

/** Returns the kinds that a rule names. What only a wildcard selects, such as the roles of the webhook itself, says less about it. */
function kindsNamed(found: FoundObjects, cluster: readonly ValueMap[], surroundings: Surroundings): ReadonlySet<string> {
  const rules = found.webhooks.flatMap(({ webhook }) => listAt(webhook, 'rules'));
  const names = rules.flatMap(rule => listAt(rule, 'resources').map(name => String(name).replace(/\/.*/, '')));
  const state = stateOf(
    cluster.map(copyOf).filter(isMap),
    { server: apiServers(), options: defaultServerOptions, presumesNamespaces: true },
    surroundings,
  );
  return new Set(handledResources(servedBy(state).resources, names).map(({ kind }) => keyOfKind(kind)));
}

/**
 * Returns the case for a program that registers its webhooks, by the resources that it handles, or for the embedded webhook; undefined if
 * there are other webhooks, or if no object of the resources is known.
 */
export function caseWithoutWebhooks(found: FoundObjects, handled: readonly string[], surroundings: Surroundings): FirstCase | undefined {
  if (found.webhooks.length > 0) return undefined;
  if (handled.length === 0) return caseOf({ file: undefined, object: starterPod(), namespace: undefined });
  const definitions = found.definitions.flatMap(({ manifests }) => manifests.map(({ object }) => object));
  const state = stateOf(definitions, { server: apiServers(), options: defaultServerOptions, presumesNamespaces: true }, surroundings);
  const resources = handledResources(servedBy(state).resources, handled);
  for (const file of found.candidates) {
    const manifest = file.manifests.find(({ object }) => resources.some(({ kind }) => isDeepStrictEqual(kindOf(object), kind)));
    if (manifest !== undefined) return caseOf({ file, object: manifest.object, namespace: namespaceFor(manifest.object, []) });
  }
  const [object] = resources.flatMap(({ resource }) => starterOf(resource) ?? []);
  return object === undefined ? undefined : caseOf({ file: undefined, object, namespace: undefined });
}

interface CaseObject {
  readonly file: ManifestFile | undefined;
  readonly object: ValueMap;
  readonly namespace: ValueMap | undefined;
}

function caseOf({ file, object, namespace }: CaseObject): FirstCase {
  const name = stringAt(namespace, 'metadata', 'name');
  return {
    file: file?.manifests.length === 1 ? file.name : undefined,
    manifest: writeYaml(object),
    kind: kindOf(object).kind.toLowerCase(),
    called: [],
    mayReinvoke: false,
    samples: [],
    namespaces: namespace === undefined ? '' : writeYaml(namespace),
    namespace: name === '' || stringAt(object, 'metadata', 'namespace') === name ? undefined : name,
  };
}

function starterFor({ webhook }: FoundWebhook): { readonly file: ManifestFile | undefined; readonly manifest: Manifest }[] {
  const object = starterManifest(webhook);
  return object === undefined ? [] : [{ file: undefined, manifest: { object, source: 'starter', location: { file: 'starter' } } }];
}

/** Returns the namespace of an object, with labels that match the selectors of the webhooks; undefined if the default one matches. */
function namespaceFor(object: ValueMap, webhooks: readonly FoundWebhook[]): ValueMap | undefined {
  const labels = new Map(webhooks.flatMap(({ webhook }) => [...wantedLabels(mapAt(webhook, 'namespaceSelector'))]));
  const [wanted] = webhooks.flatMap(({ webhook }) => wantedNamespace(mapAt(webhook, 'namespaceSelector')) ?? []);
  const named = stringAt(object, 'metadata', 'namespace') || (wanted ?? '');
  if (labels.size === 0 && (named === '' || named === 'default')) return undefined;
  return namespaceCalled(named || newNamespace, labels);
}

const newNamespace = 'webhook-tests';

function namespaceCalled(name: string, labels: ReadonlyMap<string, string>): ValueMap | undefined {
  const metadata = { name, ...(labels.size === 0 ? {} : { labels: Object.fromEntries(labels) }) };
  const namespace = toValue({ apiVersion: 'v1', kind: 'Namespace', metadata });
  return isMap(namespace) ? namespace : undefined;
}
