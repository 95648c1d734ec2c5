import { exactQuantity } from '../../../../apiserver/objects/exact-quantities.js';
import {
  at,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  mapOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { quote } from '../../../../go/quote.js';
import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';
import { isWholeQuantity, milliValue } from '../../../../kubernetes/quantity.js';
import { addressWarnings } from './address-warnings.js';
import { deprecatedIn, labelWarning } from './node-labels.js';
import { overlapWarnings } from './overlapping-paths.js';
import { allContainers } from './pod-spec.js';

/** Returns warnings about a new pod; there are none about changed ones. Source: pkg/registry/core/pod and pkg/api/pod/warnings.go. */
export function podWarnings(pod: Place, old?: Place): string[] {
  if (old !== undefined) return [];
  const problems = dns1123LabelProblems(textAt(pod, 'metadata', 'name'));
  const named = `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`;
  return [...(problems.length > 0 ? [named] : []), ...specWarnings(pod, false)];
}

/** Returns warnings about the pods of a template. */
export function templateWarnings(template: Place): string[] {
  return specWarnings(template, true);
}

function specWarnings(object: Place, isTemplate: boolean): string[] {
  const spec = at(object, 'spec');
  const annotations = at(object, 'metadata', 'annotations');
  const grace = at(spec, 'terminationGracePeriodSeconds');
  return [
    ...nodeLabelWarnings(spec),
    ...topologyWarnings(spec),
    ...annotationWarnings(annotations),
    ...itemsAt(spec, 'volumes').flatMap(volumeWarnings),
    ...overlapWarnings(itemsAt(spec, 'volumes')),
    ...listWarnings(spec),
    ...['memory', 'ephemeral-storage'].flatMap(name => fractionWarnings(at(spec, 'overhead'), name)),
    ...podSeccompWarnings(spec, annotations),
    ...allContainers(spec).flatMap(container => containerWarnings(container, { spec, annotations, isTemplate })),
    ...portWarnings(allContainers(spec)),
    ...(numberOf(grace) < 0n ? [`${grace.path}: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...affinityWarnings(spec),
    ...itemsAt(spec, 'dnsConfig', 'nameservers').flatMap(addressWarnings),
    ...itemsAt(spec, 'hostAliases').flatMap(alias => addressWarnings(at(alias, 'ip'))),
  ];
}

function nodeLabelWarnings(spec: Place): string[] {
  const selector = at(spec, 'nodeSelector');
  const nodes = at(spec, 'affinity', 'nodeAffinity');
  const terms = [
    ...itemsAt(nodes, 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'),
    ...itemsAt(nodes, 'preferredDuringSchedulingIgnoredDuringExecution').map(term => at(term, 'preference')),
  ];
  return [
    ...deprecatedIn(selector).map(([label, message]) => `${selector.path}[${label}]: ${message}`),
    ...terms.flatMap(term => itemsAt(term, 'matchExpressions')).flatMap(expression => labelWarning(at(expression, 'key'))),
  ];
}

function topologyWarnings(spec: Place): string[] {
  return itemsAt(spec, 'topologySpreadConstraints').flatMap(constraint => [
    ...labelWarning(at(constraint, 'topologyKey')),
    ...nullSelectorWarning(constraint),
  ]);
}

function nullSelectorWarning(term: Place): string[] {
  return hasSet(term, 'labelSelector') ? [] : [`${term.path}.labelSelector: a null labelSelector results in matching no pod`];
}

function affinityWarnings(spec: Place): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap(kind => {
    const affinity = at(spec, 'affinity', kind);
    return [
      ...itemsAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...itemsAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map(term => at(term, 'podAffinityTerm')),
    ].flatMap(nullSelectorWarning);
  });
}

function annotationWarnings(annotations: Place): string[] {
  const messages: Readonly<Record<string, string>> = {
    'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
    'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
    'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  };
  return Object.entries(messages).flatMap(([key, message]) =>
    mapOf(annotations).has(key) ? [`${annotations.path}[${key}]: ${message}`] : [],
  );
}

const deprecatedVolumes: readonly (readonly [string, string, string?])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings(volume: Place): string[] {
  return [
    ...deprecatedVolumes.flatMap(([kind, message, shown = kind]) => (hasSet(volume, kind) ? [`${volume.path}.${shown}: ${message}`] : [])),
    ...storageWarnings(at(volume, 'ephemeral', 'volumeClaimTemplate', 'spec', 'resources')),
  ];
}

/** Returns warnings about duplicate host aliases and pull secrets. */
function listWarnings(spec: Place): string[] {
  const repeated = (list: string, key: string): string[] => {
    const seen = new Set<string>();
    return itemsAt(spec, list).flatMap(item => {
      const place = at(item, key);
      if (seen.has(textOf(place))) return [`${place.path}: duplicate ${key} ${quote(textOf(place))}`];
      seen.add(textOf(place));
      return [];
    });
  };
  const secrets = itemsAt(spec, 'imagePullSecrets').map(secret => at(secret, 'name'));
  return [
    ...repeated('hostAliases', 'ip'),
    ...repeated('imagePullSecrets', 'name'),
    ...secrets.flatMap(name => (textOf(name) === '' ? [`${name.path}: invalid empty name ""`] : [])),
  ];
}

/** Returns warnings about fractions of bytes. */
function fractionWarnings(amounts: Place, name: string): string[] {
  const text = textAt(amounts, name);
  if (text === '') return [];
  const amount = exactQuantity(mapOf(amounts), name, text);
  // Up to v1.37, an amount of thousandths beyond an int64 keeps its lowest 64 bits.
  const isWhole = amounts.server.since('v1.38') ? isWholeQuantity(amount) : BigInt.asIntN(64, milliValue(amount)) % 1000n === 0n;
  if (isWhole) return [];
  return [`${amounts.path}[${name}]: fractional byte value ${quote(text)} is invalid, must be an integer`];
}

/**
 * Returns warnings about the requests of a claim. Source: kubernetes pkg/api/persistentvolumeclaim GetWarningsForPersistentVolumeClaimSpec.
 */
export function storageWarnings(resources: Place): string[] {
  return ['requests', 'limits'].flatMap(kind => fractionWarnings(at(resources, kind), 'storage'));
}

const seccompWords = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podSeccompWarnings(spec: Place, annotations: Place): string[] {
  const key = 'seccomp.security.alpha.kubernetes.io/pod';
  return mapOf(annotations).has(key) && !isSet(at(spec, 'securityContext', 'seccompProfile'))
    ? [`${annotations.path}[${key}]: ${seccompWords}`]
    : [];
}

interface Around {
  readonly spec: Place;
  readonly annotations: Place;
  readonly isTemplate: boolean;
}

function containerWarnings(container: Place, { spec, annotations, isTemplate }: Around): string[] {
  const name = textAt(container, 'name');
  const noticed = (key: string, message: string): string[] =>
    mapOf(annotations).has(key) ? [`${annotations.path}[${key}]: ${message}`] : [];
  const hasSeccomp = isSet(at(container, 'securityContext', 'seccompProfile'));
  const hasAppArmor = isSet(at(container, 'securityContext', 'appArmorProfile'));
  const key = `container.apparmor.security.beta.kubernetes.io/${name}`;
  const agrees = profileText(at(spec, 'securityContext', 'appArmorProfile')) === textAt(annotations, key);
  const resources = at(container, 'resources');
  return [
    ...(hasSeccomp ? [] : noticed(`container.seccomp.security.alpha.kubernetes.io/${name}`, seccompWords)),
    ...(isTemplate && !hasAppArmor && !agrees ? noticed(key, 'deprecated since v1.30; use the "appArmorProfile" field instead') : []),
    ...['memory', 'ephemeral-storage'].flatMap(resource =>
      ['limits', 'requests'].flatMap(kind => fractionWarnings(at(resources, kind), resource)),
    ),
    ...envWarnings(container),
  ];
}

/** Formats a profile like the annotation of former versions. */
function profileText(profile: Place): string | undefined {
  const texts: Readonly<Record<string, string>> = {
    RuntimeDefault: 'runtime/default',
    Unconfined: 'unconfined',
    Localhost: `localhost/${textAt(profile, 'localhostProfile')}`,
  };
  return texts[textAt(profile, 'type')];
}

function envWarnings(container: Place): string[] {
  const seen = new Set<string>();
  return indexed(at(container, 'env')).flatMap(variable => {
    const name = textAt(variable, 'name');
    const reference = `$(${name})`;
    const value = textAt(variable, 'value');
    const isNew = !seen.has(name);
    seen.add(name);
    const extendsIt = !hasSet(variable, 'valueFrom') && value !== reference && value.includes(reference);
    return isNew || extendsIt
      ? []
      : [`${variable.path}: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}

/** Returns warnings about conflicting ports of a pod. Source: pkg/api/pod/warnings.go. */
function portWarnings(containers: readonly Place[]): string[] {
  const ports = containers.flatMap(container => itemsAt(container, 'ports'));
  return [...ports.flatMap((port, index) => [...lonelyHostIp(port), ...clashes(port, ports.slice(0, index))]), ...sameNames(ports)];
}

function lonelyHostIp(port: Place): string[] {
  if (textAt(port, 'hostIP') === '' || numberAt(port, 'hostPort') !== 0n) return [];
  const printed = `{Name:${textAt(port, 'name')} HostPort:0 ContainerPort:${numberAt(port, 'containerPort')} Protocol:${textAt(port, 'protocol')} HostIP:${textAt(port, 'hostIP')}}`;
  return [`${port.path}: hostIP set without hostPort: ${printed}`];
}

function clashes(port: Place, before: readonly Place[]): string[] {
  const same = before.filter(
    other => numberAt(other, 'containerPort') === numberAt(port, 'containerPort') && textAt(other, 'protocol') === textAt(port, 'protocol'),
  );
  return same.flatMap(other => {
    const word = clashOf(port, other);
    return word === undefined ? [] : [`${port.path}: ${word} port definition with ${other.path}`];
  });
}

function clashOf(port: Place, other: Place): string | undefined {
  const [host, otherHost] = [numberAt(port, 'hostPort'), numberAt(other, 'hostPort')];
  const [ip, otherIp] = [textAt(port, 'hostIP'), textAt(other, 'hostIP')];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0n || otherHost === 0n) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function sameNames(ports: readonly Place[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(port => {
    const name = textAt(port, 'name');
    const other = first.get(name);
    if (name !== '' && other === undefined) first.set(name, port.path);
    return name === '' || other === undefined
      ? []
      : [`${port.path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`];
  });
}
