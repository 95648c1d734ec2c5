import { DecodeError } from '../../apiserver/objects/codec.js';
import { type ConversionRule, type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';
import { setDefault } from '../../apiserver/objects/default-rules.js';
import { setOwnMember } from '../../go/own-members.js';
import { parseInt64 } from '../../go/parse-integer.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';

/** Annotation that is the field `rollbackTo` of the internal Deployment. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';
const templateGeneration = 'deprecated.daemonset.template.generation';

/** Field that is a value in the newer versions and a pointer in the internal type. */
const observedGeneration: ConversionRule = {
  toInternal: status => setDefault(status, 'observedGeneration', 0n),
  fromInternal: status => {
    if (status.get('observedGeneration') === 0n) status.delete('observedGeneration');
  },
};

/** Source: kubernetes pkg/apis/apps and extensions conversion.go. */
export const appsConversions: ConversionRules = {
  ...inVersion('apps/v1'),
  ...inVersion('apps/v1beta2'),
  ...inVersion('apps/v1beta1'),
  ...inVersion('extensions/v1beta1'),
  'apps/v1.Deployment': { toInternal: rollbackToInternal, fromInternal: rollbackFromInternal },
  'apps/v1beta2.Deployment': { toInternal: rollbackToInternal, fromInternal: rollbackFromInternal },
  'apps/v1.StatefulSetStatus': observedGeneration,
  'apps/v1beta2.StatefulSetStatus': observedGeneration,
  'apps/v1.DaemonSet': { toInternal: generationToInternal, fromInternal: generationFromInternal },
  'apps/v1beta2.DaemonSet': { toInternal: generationToInternal, fromInternal: generationFromInternal },
};

/** Returns the conversions of a version: counts are values in the internal types; claim templates always have their type. */
function inVersion(version: string): ConversionRules {
  const rules: Record<string, ConversionRule> = {};
  for (const kind of ['DeploymentSpec', 'ReplicaSetSpec']) setOwnMember(rules, `${version}.${kind}`, zeroWhereAbsent({ replicas: 0n }));
  for (const kind of ['Deployment', 'DaemonSet'])
    setOwnMember(rules, `${version}.RollingUpdate${kind}`, zeroWhereAbsent({ maxUnavailable: 0n, maxSurge: 0n }));
  setOwnMember(rules, `${version}.RollingUpdateStatefulSetStrategy`, zeroWhereAbsent({ partition: 0n }));
  const replicas = zeroWhereAbsent({ replicas: 0n });
  setOwnMember(rules, `${version}.StatefulSetSpec`, {
    fromInternal: (spec, server) => {
      replicas.fromInternal?.(spec, server);
      for (const claim of listAt(spec, 'volumeClaimTemplates').filter(isMap))
        claim.set('kind', 'PersistentVolumeClaim').set('apiVersion', 'v1');
    },
  });
  return rules;
}

/** Moves an annotation to a field that only old versions have. */
function rollbackToInternal(deployment: ValueMap): void {
  const revision = stringAt(deployment, 'metadata', 'annotations', rollbackAnnotation);
  if (revision === '') return;
  const number = orDecodeError(revision, message => `failed to parse annotation[${rollbackAnnotation}]=${revision} as int64: ${message}`);
  mapAt(deployment, 'metadata', 'annotations')?.delete(rollbackAnnotation);
  ensureMap(deployment, 'spec').set('rollbackTo', new Map([['revision', number]]));
}

function rollbackFromInternal(deployment: ValueMap): void {
  const spec = mapAt(deployment, 'spec');
  const rollback = spec?.get('rollbackTo');
  spec?.delete('rollbackTo');
  const annotations = mapAt(deployment, 'metadata', 'annotations');
  if (!isMap(rollback)) annotations?.delete(rollbackAnnotation);
  else annotate(deployment, rollbackAnnotation, String(rollback.get('revision') ?? 0n));
}

function generationToInternal(daemonSet: ValueMap): void {
  const annotations = mapAt(daemonSet, 'metadata', 'annotations');
  const generation = annotations?.get(templateGeneration);
  if (typeof generation !== 'string') return;
  annotations?.delete(templateGeneration);
  ensureMap(daemonSet, 'spec').set(
    'templateGeneration',
    orDecodeError(generation, message => message),
  );
}

function generationFromInternal(daemonSet: ValueMap): void {
  const spec = mapAt(daemonSet, 'spec');
  annotate(daemonSet, templateGeneration, String(spec?.get('templateGeneration') ?? 0n));
  spec?.delete('templateGeneration');
}

function annotate(object: ValueMap, key: string, value: string): void {
  ensureMap(ensureMap(object, 'metadata'), 'annotations').set(key, value);
}

function orDecodeError(text: string, describe: (message: string) => string): bigint {
  const value = parseInt64(text);
  if (typeof value === 'object') throw new DecodeError(describe(value.error));
  return value;
}
