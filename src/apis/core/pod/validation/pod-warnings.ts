import { exactQuantity } from '../../../../apiserver/objects/exact-quantities.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { quote } from '../../../../go/quote.js';
import { dns1123LabelProblems } from '../../../../kubernetes/name-rules.js';
import { isWholeQuantity, milliValue } from '../../../../kubernetes/quantity.js';
import { addressWarnings } from './address-warnings.js';
import { annotatedAppArmorProfile, appArmorDeprecation, appArmorPrefix, isAppArmorProfile } from './app-armor.js';
import { deprecatedIn, labelWarning } from './node-labels.js';
import { overlapWarnings } from './overlapping-paths.js';
import { allContainers } from './pod-spec.js';

/** Returns warnings about a new pod; there are none about changed ones. Source: pkg/registry/core/pod and pkg/api/pod/warnings.go. */
export function podWarnings(pod: FieldPath, old?: FieldPath): string[] {
  if (old !== undefined) return [];
  const problems = dns1123LabelProblems(pod.text('metadata', 'name'));
  const named = `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`;
  return [...(problems.length > 0 ? [named] : []), ...specWarnings(pod, false)];
}

/** Returns warnings about the pods of a template. */
export function templateWarnings(template: FieldPath): string[] {
  return specWarnings(template, true);
}

function specWarnings(object: FieldPath, isTemplate: boolean): string[] {
  const spec = object.child('spec');
  const annotations = object.child('metadata', 'annotations');
  const grace = spec.child('terminationGracePeriodSeconds');
  const containers = allContainers(spec);
  const volumes = spec.items('volumes');
  return [
    ...nodeLabelWarnings(spec),
    ...topologyWarnings(spec),
    ...annotationWarnings(annotations),
    ...volumes.flatMap(volumeWarnings),
    ...overlapWarnings(volumes),
    ...listWarnings(spec),
    ...['memory', 'ephemeral-storage'].flatMap(name => fractionWarnings(spec.child('overhead'), name)),
    ...podSeccompWarnings(spec, annotations),
    ...containers.flatMap(container => containerWarnings(container, { spec, annotations, isTemplate })),
    ...portWarnings(containers),
    ...(grace.number() < 0n ? [`${grace.path}: must be >= 0; negative values are invalid and will be treated as 1`] : []),
    ...affinityWarnings(spec),
    ...spec.items('dnsConfig', 'nameservers').flatMap(addressWarnings),
    ...spec.items('hostAliases').flatMap(alias => addressWarnings(alias.child('ip'))),
  ];
}

function nodeLabelWarnings(spec: FieldPath): string[] {
  const selector = spec.child('nodeSelector');
  const nodes = spec.child('affinity', 'nodeAffinity');
  const terms = [
    ...nodes.items('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'),
    ...nodes.items('preferredDuringSchedulingIgnoredDuringExecution').map(term => term.child('preference')),
  ];
  return [
    ...deprecatedIn(selector).map(([label, message]) => `${selector.path}[${label}]: ${message}`),
    ...terms.flatMap(term => term.items('matchExpressions')).flatMap(expression => labelWarning(expression.child('key'))),
  ];
}

function topologyWarnings(spec: FieldPath): string[] {
  return spec
    .items('topologySpreadConstraints')
    .flatMap(constraint => [...labelWarning(constraint.child('topologyKey')), ...nullSelectorWarning(constraint)]);
}

function nullSelectorWarning(term: FieldPath): string[] {
  return term.has('labelSelector') ? [] : [`${term.path}.labelSelector: a null labelSelector results in matching no pod`];
}

function affinityWarnings(spec: FieldPath): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap(kind => {
    const affinity = spec.child('affinity', kind);
    return [
      ...affinity.items('requiredDuringSchedulingIgnoredDuringExecution'),
      ...affinity.items('preferredDuringSchedulingIgnoredDuringExecution').map(term => term.child('podAffinityTerm')),
    ].flatMap(nullSelectorWarning);
  });
}

const oldAnnotations: readonly (readonly [string, string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function annotationWarnings(annotations: FieldPath): string[] {
  if (annotations.length() === 0) return [];
  return oldAnnotations.flatMap(([key, message]) => (annotations.members().has(key) ? [`${annotations.path}[${key}]: ${message}`] : []));
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

function volumeWarnings(volume: FieldPath): string[] {
  return [
    ...deprecatedVolumes.flatMap(([kind, message, shown = kind]) => (volume.has(kind) ? [`${volume.path}.${shown}: ${message}`] : [])),
    ...storageWarnings(volume.child('ephemeral', 'volumeClaimTemplate', 'spec', 'resources')),
  ];
}

/** Returns warnings about duplicate host aliases and pull secrets. */
function listWarnings(spec: FieldPath): string[] {
  const repeated = (list: string, key: string): string[] => {
    const seen = new Set<string>();
    return spec.items(list).flatMap(item => {
      const field = item.child(key);
      if (seen.has(field.text())) return [`${field.path}: duplicate ${key} ${quote(field.text())}`];
      seen.add(field.text());
      return [];
    });
  };
  const secrets = spec.items('imagePullSecrets').map(secret => secret.child('name'));
  return [
    ...repeated('hostAliases', 'ip'),
    ...repeated('imagePullSecrets', 'name'),
    ...secrets.flatMap(name => (name.text() === '' ? [`${name.path}: invalid empty name ""`] : [])),
  ];
}

/** Returns warnings about fractions of bytes. */
function fractionWarnings(amounts: FieldPath, name: string): string[] {
  const text = amounts.text(name);
  if (text === '') return [];
  const amount = exactQuantity(amounts.members(), name, text);
  // Up to v1.37, an amount of thousandths beyond an int64 keeps its lowest 64 bits.
  const isWhole = amounts.server.since('v1.38') ? isWholeQuantity(amount) : BigInt.asIntN(64, milliValue(amount)) % 1000n === 0n;
  if (isWhole) return [];
  return [`${amounts.path}[${name}]: fractional byte value ${quote(text)} is invalid, must be an integer`];
}

/**
 * Returns warnings about the requests of a claim. Source: kubernetes pkg/api/persistentvolumeclaim GetWarningsForPersistentVolumeClaimSpec.
 */
export function storageWarnings(resources: FieldPath): string[] {
  return ['requests', 'limits'].flatMap(kind => fractionWarnings(resources.child(kind), 'storage'));
}

const seccompWords = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podSeccompWarnings(spec: FieldPath, annotations: FieldPath): string[] {
  const key = 'seccomp.security.alpha.kubernetes.io/pod';
  return annotations.members().has(key) && !spec.child('securityContext', 'seccompProfile').isSet()
    ? [`${annotations.path}[${key}]: ${seccompWords}`]
    : [];
}

interface Around {
  readonly spec: FieldPath;
  readonly annotations: FieldPath;
  readonly isTemplate: boolean;
}

function containerWarnings(container: FieldPath, { spec, annotations, isTemplate }: Around): string[] {
  const name = container.text('name');
  const noticed = (key: string, message: string): string[] =>
    annotations.members().has(key) ? [`${annotations.path}[${key}]: ${message}`] : [];
  const hasSeccomp = container.child('securityContext', 'seccompProfile').isSet();
  const hasAppArmor = container.child('securityContext', 'appArmorProfile').isSet();
  const key = `${appArmorPrefix}${name}`;
  const annotated = annotatedAppArmorProfile(annotations.text(key));
  const agrees = annotated !== undefined && isAppArmorProfile(spec.child('securityContext', 'appArmorProfile').members(), annotated);
  const resources = container.child('resources');
  return [
    ...(hasSeccomp ? [] : noticed(`container.seccomp.security.alpha.kubernetes.io/${name}`, seccompWords)),
    ...(isTemplate && !hasAppArmor && !agrees ? noticed(key, appArmorDeprecation) : []),
    ...['memory', 'ephemeral-storage'].flatMap(resource =>
      ['limits', 'requests'].flatMap(kind => fractionWarnings(resources.child(kind), resource)),
    ),
    ...envWarnings(container),
  ];
}

function envWarnings(container: FieldPath): string[] {
  const seen = new Set<string>();
  return container
    .child('env')
    .items()
    .flatMap(variable => {
      const name = variable.text('name');
      const reference = `$(${name})`;
      const value = variable.text('value');
      const isNew = !seen.has(name);
      seen.add(name);
      const extendsIt = !variable.has('valueFrom') && value !== reference && value.includes(reference);
      return isNew || extendsIt
        ? []
        : [`${variable.path}: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
    });
}

/** Returns warnings about conflicting ports of a pod. Source: pkg/api/pod/warnings.go. */
function portWarnings(containers: readonly FieldPath[]): string[] {
  const ports = containers.flatMap(container => container.items('ports'));
  return [...ports.flatMap((port, index) => [...lonelyHostIp(port), ...clashes(port, ports.slice(0, index))]), ...sameNames(ports)];
}

function lonelyHostIp(port: FieldPath): string[] {
  if (port.text('hostIP') === '' || port.number('hostPort') !== 0n) return [];
  const printed = `{Name:${port.text('name')} HostPort:0 ContainerPort:${port.number('containerPort')} Protocol:${port.text('protocol')} HostIP:${port.text('hostIP')}}`;
  return [`${port.path}: hostIP set without hostPort: ${printed}`];
}

function clashes(port: FieldPath, before: readonly FieldPath[]): string[] {
  const same = before.filter(
    other => other.number('containerPort') === port.number('containerPort') && other.text('protocol') === port.text('protocol'),
  );
  return same.flatMap(other => {
    const word = clashOf(port, other);
    return word === undefined ? [] : [`${port.path}: ${word} port definition with ${other.path}`];
  });
}

function clashOf(port: FieldPath, other: FieldPath): string | undefined {
  const [host, otherHost] = [port.number('hostPort'), other.number('hostPort')];
  const [ip, otherIp] = [port.text('hostIP'), other.text('hostIP')];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0n || otherHost === 0n) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function sameNames(ports: readonly FieldPath[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(port => {
    const name = port.text('name');
    const other = first.get(name);
    if (name !== '' && other === undefined) first.set(name, port.path);
    return name === '' || other === undefined
      ? []
      : [`${port.path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`];
  });
}
