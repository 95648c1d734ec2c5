import { writeGoYaml } from '../../encoding/go-yaml-writer.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/syntax-error.js';
import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { printValue } from '../../go-template/print.js';
import { goList, goMap, isGoList, isGoMap, isGoStruct, type TemplateMap, type TemplateValue } from '../../go-template/values.js';
import { goJson, goValueOf } from './go-data.js';
import { sprigFunctions } from './sprig-functions.js';

/** Istio's own template functions. Source: istio pkg/kube/inject template.go. */
const istioFunctions: readonly (readonly [string, GoFunction])[] = [
  ['annotation', goFunction([{ struct: 'v1.ObjectMeta' }, 'string', 'any'], annotation)],
  [
    'valueOrDefault',
    goFunction(['any', 'any'], (value, fallback) => (value === '' || value === undefined || value === null ? fallback : value)),
  ],
  ['isset', goFunction(['stringMap', 'string'], (map, key) => isGoMap(map) && map.entries.has(text(key)))],
  ['toJSON', goFunction(['stringMap'], map => (isGoMap(map) ? goJson(map) : '{}'))],
  ['fromJSON', goFunction(['string'], fromJson)],
  ['structToJSON', goFunction(['any'], value => (value === undefined || value === null ? '{}' : goJson(value)))],
  ['toYaml', goFunction(['any'], value => yamlOf(goJson(value)))],
  ['indent', goFunction(['int', 'string'], (count, value) => indented(Number(count), text(value)))],
  ['directory', goFunction(['string'], file => text(file).slice(0, text(file).lastIndexOf('/') + 1))],
  ['contains', goFunction(['string', 'string'], (needle, haystack) => text(haystack).includes(text(needle)))],
  ['toLower', goFunction(['string'], value => text(value).toLowerCase())],
  ['env', goFunction(['string', 'string'], (name, fallback) => process.env[text(name)] || fallback)],
  ['omit', goFunction(['stringMap', 'string', '...'], (map, ...keys) => without(map, keys))],
  ['strdict', goFunction(['string', '...'], (...pairs) => textMap(pairs))],
  ['toJsonMap', goFunction(['stringMap', '...'], (...maps) => (maps.length === 0 ? 'null' : goJson(merged(maps))))],
  ['mergeMaps', goFunction(['stringMap', '...'], (...maps) => merged(maps))],
  ['applicationPorts', goFunction(['any'], containers => portsOf(containers))],
  ['includeInboundPorts', goFunction(['any'], containers => portsOf(containers))],
  ['omitNil', goFunction(['any'], withoutNil)],
  ['appendMultusNetwork', goFunction(['string', 'string'], (networks, added) => withNetwork(text(networks), text(added)))],
  // The mesh has no settings: no member of its proxies' configuration differs from the default, and it has no tracing.
  ['protoToJSON', goFunction(['any'], () => '{}')],
  ['otelResourceAttributes', goFunction(['any', 'stringMap', 'stringMap', 'string', 'any'], () => '')],
  ['kubevirtInterfaces', goFunction(['string'], interfaces => interfaces)],
  ['excludeInterfaces', goFunction(['string'], interfaces => interfaces)],
  ['excludeInboundPort', goFunction(['any', 'string'], (port, excluded) => excludedPorts(port, text(excluded)))],
];

/** All functions besides Go's own that an injector's templates may call. */
export const injectorFunctions: ReadonlyMap<string, GoFunction> = new Map([...sprigFunctions, ...istioFunctions]);

/** Max width in a format of Go's fmt. */
const maxWidth = 1_000_000;

function text(value: TemplateValue): string {
  return typeof value === 'string' ? value : '';
}

function annotation(meta: TemplateValue, name: TemplateValue, fallback: TemplateValue): TemplateValue {
  const annotations = isGoStruct(meta) ? meta.field('Annotations')?.value : undefined;
  const found = isGoMap(annotations) ? annotations.entries.get(text(name)) : undefined;
  return found ?? printValue(fallback);
}

function fromJson(value: TemplateValue): TemplateValue {
  try {
    return goValueOf(readUnstructured(text(value)));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return '{}';
    throw error;
  }
}

/** Characters in JSON that YAML does not allow. */
const notYaml = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** Returns JSON as YAML; an empty text if its strings contain control characters. Source: sigs.k8s.io/yaml JSONToYAML. */
function yamlOf(json: string): string {
  return notYaml.test(json) ? '' : writeGoYaml(readUnstructured(json));
}

/** Indents every line but the first. A negative width pads like the positive one. */
function indented(count: number, value: string): string {
  return value.replaceAll('\n', `\n${' '.repeat(Math.min(Math.abs(count), maxWidth))}`);
}

function without(map: TemplateValue, keys: readonly TemplateValue[]): TemplateMap {
  const kept = isGoMap(map) ? [...map.entries].filter(([key]) => !keys.includes(key)) : [];
  return goMap(new Map(kept), 'string');
}

function textMap(pairs: readonly TemplateValue[]): TemplateMap {
  const entries = new Map<string, TemplateValue>();
  for (let i = 0; i < pairs.length; i += 2) entries.set(text(pairs[i]), pairs[i + 1] ?? '');
  return goMap(entries, 'string');
}

function merged(maps: readonly TemplateValue[]): TemplateMap {
  return goMap(new Map(maps.flatMap(map => (isGoMap(map) ? [...map.entries] : []))), 'string');
}

/** Returns a value without nil members, and without containers that have no others. */
function withoutNil(value: TemplateValue): TemplateValue {
  if (value === undefined || value === null) return null;
  if (isGoMap(value)) {
    const kept = [...value.entries].map(([key, member]) => [key, withoutNil(member)] as const).filter(([, member]) => member !== null);
    return kept.length === 0 && value.entries.size > 0 ? null : goMap(new Map(kept), value.element);
  }
  if (!isGoList(value)) return value;
  const items = value.items.map(withoutNil).filter(item => item !== null);
  return items.length === 0 && value.items.length > 0 ? null : goList(items, value.element);
}

/** Adds a network, `namespace/name`, to an annotation: a list in JSON, or names separated by commas. */
function withNetwork(networks: string, added: string): string {
  if (networks === '') return added;
  const end = networks.lastIndexOf(']');
  if (end < 0) return networks.split(',').some(network => network.trim() === added) ? networks : `${networks}, ${added}`;
  const slash = added.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', added] : [added.slice(0, slash), added.slice(slash + 1)];
  let known: readonly TemplateValue[];
  try {
    const list = goValueOf(readUnstructured(networks));
    if (!isGoList(list) || !list.items.every(item => item === null || isGoMap(item))) return networks;
    known = list.items;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return networks;
    throw error;
  }
  const isKnown = known.some(
    network => isGoMap(network) && network.entries.get('name') === name && (network.entries.get('namespace') ?? '') === namespace,
  );
  const place = namespace === '' ? '' : `, "namespace": "${namespace}"`;
  return isKnown ? networks : `${networks.slice(0, end)}, {"name": "${name}"${place}}${networks.slice(end)}`;
}

/** Returns the TCP ports of containers, separated by commas. */
function portsOf(containers: TemplateValue): string {
  const fieldOf = (value: TemplateValue, name: string): TemplateValue => (isGoStruct(value) ? value.field(name)?.value : undefined);
  const ports = (isGoList(containers) ? containers.items : []).flatMap(container => {
    const list = fieldOf(container, 'Ports');
    return isGoList(list) ? list.items : [];
  });
  return ports
    .filter(port => !['UDP', 'SCTP'].includes(String(fieldOf(port, 'Protocol'))))
    .map(port => String(fieldOf(port, 'ContainerPort')))
    .join(',');
}

function excludedPorts(given: TemplateValue, excluded: string): string {
  const added = printValue(given).trim();
  const ports = excluded.split(',');
  if (added === '' || added === '0' || ports.includes(added)) return excluded;
  return [...ports.map(port => port.trim()).filter(port => port !== ''), added].join(',');
}
