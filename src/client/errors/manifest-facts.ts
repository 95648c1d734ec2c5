import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { podSpecPath } from '../../kubernetes/pod-spec-path.js';
import { approximateFloat, QuantityError } from '../../kubernetes/quantity.js';
import type { ErrorFault, MatchedError } from './known-error.js';

/** What the manifest of a call shows about an error. */
export interface ManifestFact {
  readonly fault: ErrorFault;
  readonly why: string;
}

/** Returns what the manifest of a call shows about an error; undefined if it shows nothing. */
export function factOf({ dependsOn, groups }: MatchedError, message: string, objects: readonly ValueMap[]): ManifestFact | undefined {
  if (dependsOn === 'containers') return factOfContainers(message, objects);
  if (dependsOn === 'resources') return factOfResources(groups['requested'] ?? '', objects);
  return dependsOn === 'field' ? factOfField(message, groups, objects) : undefined;
}

function factOfContainers(message: string, objects: readonly ValueMap[]): ManifestFact | undefined {
  const own = containersOf(objects).map(container => stringAt(container, 'name'));
  const named = namedContainers(message);
  if (own.length === 0 || named.length === 0) return undefined;
  const added = named.filter(name => !own.includes(name));
  const one = added.length === 1;
  if (added.length === 0)
    return { fault: 'manifest', why: `${named.join(', ')} ${named.length === 1 ? 'is a container' : 'are containers'} of the manifest` };
  const isOnly = added.length === named.length;
  const rest = isOnly ? '' : `; the others, ${named.filter(name => own.includes(name)).join(', ')}, are in the manifest`;
  const why = `${one ? 'the container' : 'the containers'} ${added.join(', ')} ${one ? 'is' : 'are'} not in the manifest: a mutating webhook added ${one ? 'it' : 'them'}${rest}`;
  return { fault: isOnly ? 'webhook' : null, why };
}

/** Returns the names of containers in messages of PodSecurity (`container "a"`, `containers "a", "b"`) and quotas (`for: a,b`). */
function namedContainers(message: string): string[] {
  const quoted = [...message.matchAll(/containers? ((?:"[^"]*"(?:, )?)+)(?= must| should| sets| uses|\))/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name),
  );
  const denied = [...message.matchAll(/\bcontainer (?:<([^<>]+)>|"([^"]+)" (?!must|should|sets|uses))/g)].map(
    ([, name, other]) => name ?? other ?? '',
  );
  const listed = [...message.matchAll(/ for: ([a-z0-9,-]+)/g)].flatMap(([, list = '']) => list.split(','));
  return [...new Set([...quoted, ...denied, ...listed])];
}

function containersOf(objects: readonly ValueMap[]): ValueMap[] {
  return objects.flatMap(object => {
    const path = podSpecPath(object);
    const spec = path === undefined ? undefined : mapAt(object, ...path);
    return ['initContainers', 'containers', 'ephemeralContainers'].flatMap(key => listAt(spec, key).filter(isMap));
  });
}

/** Compares what a quota says is requested with what the manifest asks for. */
function factOfResources(requested: string, objects: readonly ValueMap[]): ManifestFact | undefined {
  const containers = containersOf(objects);
  if (containers.length === 0) return undefined;
  for (const [, kind = '', resource = '', amount = ''] of requested.matchAll(/(requests|limits)\.(cpu|memory)=([^,\s]+)/g)) {
    const asked = containers.reduce((sum, container) => sum + amountOf(stringOrNumber(valueAt(container, 'resources', kind, resource))), 0);
    if (amountOf(amount) <= asked) continue;
    return {
      fault: null,
      why: `the containers of the manifest ask for less ${kind}.${resource} than the ${amount} that the quota counts: a LimitRange or a mutating webhook adds the rest (webhook-cli review -o diff shows it)`,
    };
  }
  return requested === '' ? undefined : { fault: 'manifest', why: 'the manifest itself asks for as much as the quota counts' };
}

function stringOrNumber(value: Value | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'bigint' || typeof value === 'number' ? String(value) : '0';
}

/** An amount that cannot be read counts as none. */
function amountOf(text: string): number {
  try {
    return approximateFloat(text);
  } catch (error) {
    if (error instanceof QuantityError) return 0;
    throw error;
  }
}

/** Compares the field of an error with the manifest of the object that the message names. */
function factOfField(message: string, groups: Readonly<Record<string, string>>, objects: readonly ValueMap[]): ManifestFact | undefined {
  const { field = '', value: shown = '' } = groups;
  const path = stepsOf(field);
  const object = objectOf(message, objects);
  if (object === undefined || path.length === 0) return undefined;
  const found = valueAt(object, ...path);
  if (message.includes(`${field}: Required value`)) {
    if (found !== undefined) return { fault: 'webhook', why: `the manifest sets ${field}: a mutating webhook removed it` };
    return beyondList(object, path, field) ?? { fault: 'manifest', why: `the manifest does not set ${field}` };
  }
  if (found === undefined) {
    const why = `the manifest does not set ${field}: the value is a default, or from a mutating webhook`;
    return beyondList(object, path, field) ?? { fault: null, why };
  }
  const value = /^"(.*)"$/.exec(shown)?.[1] ?? shown;
  if (value === '' || typeof found === 'object') return undefined;
  if (String(found) === value) return { fault: 'manifest', why: `the manifest sets ${field} to ${value}` };
  return { fault: 'webhook', why: `the manifest sets ${field} to ${String(found)}: a mutating webhook changed it to ${value}` };
}

/** Containers, volumes and their like are never added by defaults. */
const lists: ReadonlySet<string | number> = new Set([
  'containers',
  'initContainers',
  'volumes',
  'env',
  'ports',
  'volumeMounts',
  'tolerations',
]);

function beyondList(object: Value, path: readonly (string | number)[], field: string): ManifestFact | undefined {
  const at = path.findIndex(
    (step, i) => typeof step === 'number' && lists.has(path[i - 1] ?? '') && valueAt(object, ...path.slice(0, i + 1)) === undefined,
  );
  if (at < 0) return undefined;
  const count = listAt(object, ...path.slice(0, at)).length;
  const name = String(path[at - 1]);
  return { fault: 'webhook', why: `the manifest has only ${count} of ${name}: a mutating webhook added the one at ${field}` };
}

/** Returns the object that a message names, the only one of its kind, or for a pod the template of the only workload. */
function objectOf(message: string, objects: readonly ValueMap[]): ValueMap | undefined {
  const [, kind = '', name = ''] = /^(?:The )?([^.\s"]+)\S* "([^"]*)" is invalid/.exec(message) ?? [];
  const ofKind = objects.filter(object => stringAt(object, 'kind') === kind);
  const found = ofKind.find(one => stringAt(one, 'metadata', 'name') === name) ?? (ofKind.length === 1 ? ofKind[0] : undefined);
  if (found !== undefined || kind !== 'Pod') return found;
  const templates = objects.flatMap(object => {
    const path = podSpecPath(object);
    return path === undefined ? [] : (mapAt(object, ...path.slice(0, -1)) ?? []);
  });
  return templates.length === 1 ? templates[0] : undefined;
}

/** Returns the steps of `spec.containers[0].image` and `metadata.labels[a.b/c]`. */
function stepsOf(field: string): (string | number)[] {
  const parts = field.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
  return parts.map(part => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part.replace(/^\[|\]$/g, '')));
}
