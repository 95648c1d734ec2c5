import path from 'node:path';
import { servedBy } from '../../apiserver/endpoints/served-resources.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { ensureMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { type ClusterState, serverOf } from '../../kubernetes/api-call.js';
import { selectServer } from '../../kubernetes/kubernetes-version.js';
import type { ResourceTable } from '../../kubernetes/resource-table.js';
import { kindOf } from '../../kubernetes/storage.js';
import { refusedPluginFlags } from '../../plugins/enabled.js';
import { CliError } from '../cli-error.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { Surroundings } from '../surroundings.js';
import { rememberDefinitions } from './definition-places.js';
import { type InputFile, readInputFiles } from './files.js';
import { storedManifests } from './manifests.js';
import { minorOfFlags } from './server-version.js';

/** The flags that tell of a cluster. */
export type StateFlags = Pick<CallFlags, 'state' | 'filename' | 'recursive' | 'kubernetes-version'> &
  Partial<Pick<CallFlags, 'enable-admission-plugins' | 'disable-admission-plugins'>>;

/** What the flags say exists in the cluster, objects as GET would return them as far as files can tell. */
export async function readState(
  flags: StateFlags,
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now'>,
): Promise<ClusterState> {
  const paths = flags.state ?? [];
  if (paths.includes('-') && (flags.filename ?? []).includes('-')) throw new CliError('usage', '-f and --state cannot both read stdin');
  const files = await readInputFiles({ flag: '--state', paths, recursive: flags.recursive ?? false }, surroundings);
  const manifests = files.filter(file => !isKustomization(file)).flatMap(storedManifests);
  rememberDefinitions(manifests);
  const objects = manifests.map(({ object }) => object);
  return stateOf(objects, { flags, presumesNamespaces: paths.length === 0 }, surroundings);
}

/** The same for objects that were read before, `--state` aside. They become part of the state, and are changed by it. */
export function stateOf(
  objects: readonly ValueMap[],
  { flags, presumesNamespaces }: { readonly flags: StateFlags; readonly presumesNamespaces: boolean },
  surroundings: Pick<Surroundings, 'uid' | 'now'>,
): ClusterState {
  const state = { objects, presumesNamespaces, flags: serverFlags(flags), kubernetesVersion: minorOfFlags(flags) };
  selectServer(serverOf(state));
  return { ...state, objects: asStored(objects, { served: servedBy(state), namespace: 'default' }, surroundings) };
}

export interface Place {
  readonly served: ResourceTable;
  /** For objects that name no namespace and live in one. */
  readonly namespace: string;
}

/** The objects as storage has them: in a namespace, with what the API server fills in. A manifest lacks that, `kubectl get -o yaml` has it. */
export function asStored(
  objects: readonly ValueMap[],
  { served, namespace }: Place,
  surroundings: Pick<Surroundings, 'uid' | 'now'>,
): ValueMap[] {
  if (objects.length === 0) return [];
  const namespaced = new Set(served.resources.filter(resource => resource.namespaced).map(({ kind }) => `${kind.group}/${kind.kind}`));
  return objects.map(object => {
    const { group, kind } = kindOf(object);
    const metadata = ensureMap(object, 'metadata');
    if (namespaced.has(`${group}/${kind}`) && stringAt(metadata, 'namespace') === '') metadata.set('namespace', namespace);
    fillIn(metadata, surroundings);
    if (kind === 'Namespace') completeNamespace(object);
    return object;
  });
}

function fillIn(metadata: ValueMap, { uid, now }: Pick<Surroundings, 'uid' | 'now'>): void {
  setMissing(metadata, 'uid', uid);
  setMissing(metadata, 'resourceVersion', () => '1');
  setMissing(metadata, 'creationTimestamp', () => `${now().toISOString().slice(0, 19)}Z`);
}

function completeNamespace(namespace: ValueMap): void {
  ensureMap(ensureMap(namespace, 'metadata'), 'labels').set('kubernetes.io/metadata.name', stringAt(namespace, 'metadata', 'name'));
  setMissing(ensureMap(namespace, 'spec'), 'finalizers', () => ['kubernetes']);
  setMissing(ensureMap(namespace, 'status'), 'phase', () => 'Active');
}

function setMissing(map: ValueMap, key: string, value: () => Value): void {
  if (!map.has(key)) map.set(key, value());
}

/** A folder of manifests may be a kustomization; its file says nothing about what exists. Only a file that has the word is read for that. */
function isKustomization({ source, bytes }: InputFile): boolean {
  if (/^kustomization(\.ya?ml)?$/i.test(path.basename(source))) return true;
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('kustomize.config.k8s.io')) return false;
  const { documents, error } = readManifests(bytes);
  const [json = ''] = documents.map(document => document.json);
  return error === undefined && documents.length === 1 && /"kind":"Kustomization"/.test(json) && /kustomize\.config\.k8s\.io/.test(json);
}

function serverFlags(flags: StateFlags): string[] {
  const plugins = (name: 'enable-admission-plugins' | 'disable-admission-plugins'): string[] => {
    const names = (flags[name] ?? []).flatMap(list => list.split(',')).filter(part => part !== '');
    return names.length === 0 ? [] : [`--${name}=${names.join(',')}`];
  };
  const server = [...plugins('enable-admission-plugins'), ...plugins('disable-admission-plugins')];
  const refused = refusedPluginFlags(server);
  if (refused.length > 0) throw new CliError('usage', `kube-apiserver would not start: ${refused.join(', ')}`);
  return server;
}
