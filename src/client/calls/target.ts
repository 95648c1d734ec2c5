import { ownMember } from '../../go/own-members.js';
import { quote } from '../../go/quote.js';
import { ensureMap, isMap, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, sameKind } from '../../kubernetes/group-version.js';
import type { RestMapping } from '../../kubernetes/plain-mapper.js';
import type { Resource, ResourceTable } from '../../kubernetes/resource-table.js';
import type { RestMapper } from '../../kubernetes/rest-mapper.js';
import { isNoMatch } from '../../kubernetes/rest-mapper-error.js';
import { kindOf } from '../../kubernetes/storage.js';
import { shellWord } from '../../writers/shell.js';
import { CliError } from '../cli-error.js';
import type { Manifest } from '../manifests/manifests.js';
import { nearest } from '../nearest.js';

/** Target of a manifest's call. */
export interface Target {
  readonly server: ApiServer;
  readonly kind: GroupVersionKind;
  /** Kind of the resource; differs from `kind` when a subresource has its own kind of body. */
  readonly parentKind: GroupVersionKind;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

export interface TargetOptions {
  readonly server: ApiServer;
  readonly served: ResourceTable;
  /** RESTMapper of the served resources. */
  readonly mapper: RestMapper;
  readonly subresource: string | undefined;
  /** `--namespace`. */
  readonly namespace: string | undefined;
  /** Kind of the object of a subresource, from the state or `--old`. */
  readonly parentKind: (namespace: string, name: string) => GroupVersionKind | undefined;
}

/**
 * Finds the resource of a manifest as kubectl does, and sets the namespace of an object that names none.
 * Throws CliError for an unknown kind, and for a namespace that contradicts `--namespace`. Source: cli-runtime resource/visitor.go.
 */
export function targetOfObject(manifest: Manifest, options: TargetOptions): Target {
  const kind = kindOf(manifest.object);
  const parent = options.subresource === undefined ? undefined : parentResource(manifest, options.subresource, options);
  const mapping = parent ?? mappingOf(kind, manifest, options);
  const namespace = mapping.namespaced ? namespaceOf(manifest, options.namespace) : '';
  return {
    server: options.server,
    kind,
    parentKind: mapping.kind,
    ...mapping.resource,
    namespace,
    name: stringAt(manifest.object, 'metadata', 'name'),
    subresource: options.subresource ?? '',
  };
}

function mappingOf(
  kind: GroupVersionKind,
  { object, source, location }: Manifest,
  { mapper, served }: Pick<TargetOptions, 'mapper' | 'served'>,
): RestMapping {
  try {
    return mapper.mapping(kind, kind.version);
  } catch (error) {
    if (!isNoMatch(error)) throw error;
    const name = quote(stringAt(object, 'metadata', 'name'));
    const namespace = quote(stringAt(object, 'metadata', 'namespace'));
    const reason = error instanceof Error ? error.message : '';
    throw new CliError(
      'unknown-kind',
      `resource mapping not found for name: ${name} namespace: ${namespace} from ${quote(source)}: ${reason}`,
      {
        location,
        suggestions: adviceFor(kind, served),
        cause: error,
      },
    );
  }
}

/** Kinds that are bodies of subresources only. */
const subresourceOfKind: Readonly<Record<string, string>> = {
  'policy/v1/Eviction': 'eviction',
  'autoscaling/v1/Scale': 'scale',
  'authentication.k8s.io/v1/TokenRequest': 'token',
};

function adviceFor(kind: GroupVersionKind, { resources }: ResourceTable): string[] {
  const subresource = ownMember(subresourceOfKind, `${apiVersionOf(kind)}/${kind.kind}`);
  if (subresource !== undefined) return [`pass --subresource ${subresource}`];
  const named = resources.filter(resource => resource.kind.kind === kind.kind);
  // Other groups have kinds of the same name, except for these two: workloads were in extensions, and beginners leave the group out.
  const moved = kind.group === 'extensions' || kind.group === '' ? named[0] : undefined;
  const same = named.find(({ group }) => group === kind.group) ?? moved;
  if (same !== undefined) return [`use apiVersion: ${apiVersionOf(same.kind)}`];
  const siblings = resources.filter(({ group, version }) => group === kind.group && version === kind.version);
  const similar = nearest(
    kind.kind,
    siblings.map(sibling => sibling.kind.kind),
  );
  const definition = 'pass the CustomResourceDefinition with --state';
  return similar === undefined ? [definition] : [`did you mean ${similar}?`, definition];
}

/** Returns the resource whose subresource has the manifest as its body; undefined when it is that of the manifest's kind. */
function parentResource(
  manifest: Manifest,
  subresource: string,
  { served, namespace, parentKind }: TargetOptions,
): RestMapping | undefined {
  const kind = kindOf(manifest.object);
  const takes = (resource: Resource): boolean => resource.subresources.some(s => s.name === subresource && sameKind(s.kind, kind));
  if (served.resources.some(resource => sameKind(resource.kind, kind) && takes(resource))) return undefined;
  const parents = served.resources.filter(takes);
  if (parents.length === 0) return undefined;
  const known = parentKind(namespaceOf(manifest, namespace), stringAt(manifest.object, 'metadata', 'name'));
  const parent = parents.length === 1 ? parents[0] : parents.find(resource => known !== undefined && sameKind(resource.kind, known));
  if (parent === undefined) {
    throw new CliError('usage', `${kind.kind} is a subresource of ${parents.map(p => p.resource).join(', ')}; the parent is ambiguous`, {
      location: manifest.location,
      suggestions: ['pass the parent object with --old'],
    });
  }
  return {
    resource: { group: parent.group, version: parent.version, resource: parent.resource },
    kind: parent.kind,
    namespaced: parent.namespaced,
  };
}

function namespaceOf({ object, location }: Manifest, asked: string | undefined): string {
  const named = stringAt(object, 'metadata', 'namespace');
  if (named === '') return insertNamespace(object, asked ?? 'default');
  if (asked === undefined || asked === named) return named;
  throw new CliError('usage', `the namespace from the provided object ${quote(named)} does not match the namespace ${quote(asked)}`, {
    location,
    suggestions: [`pass --namespace ${shellWord(named)}`],
  });
}

/** Like kubectl, leaves metadata that is not an object unchanged. */
function insertNamespace(object: ValueMap, namespace: string): string {
  const metadata = object.get('metadata');
  if (metadata === undefined || metadata === null || isMap(metadata)) ensureMap(object, 'metadata').set('namespace', namespace);
  return namespace;
}
