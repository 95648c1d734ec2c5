import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import { annotationErrors } from '../../../apiserver/registry/object-meta.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabels, checkName, checkNonNegative, isEmptySelector } from '../../../apiserver/registry/validation/rules.js';
import type { Value, ValueMap } from '../../../go/value.js';
import { dns1123LabelProblems } from '../../../kubernetes/name-rules.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { checkClaimSpec } from '../../core/pod/validation/claim-spec.js';
import { checkPodAnnotations } from '../../core/pod/validation/pod-annotations.js';
import { checkPodTemplate } from '../../core/pod/validation/pod-template.js';
import { storageWarnings, templateWarnings } from '../../core/pod/validation/pod-warnings.js';
import {
  amountIn,
  checkAlways,
  checkRequiredSelector,
  checkSelected,
  isUsableSelector,
  ofChanged,
} from '../../core/pod-template/selected-templates.js';
import { checkIntOrPercent, checkNotMoreThanAll, intOrStringValue } from '../int-or-percent.js';

/** Source: apps/validation ValidateStatefulSet. */
export const statefulSetRules: KindRules = {
  create: object => checkStatefulSet(object.child('spec'), true),
  update: ['changes', object => checkStatefulSet(object.child('spec'), false), keepStatefulSet],
  warnings: (object, old) => [
    ...ofChanged(object, old, () => templateWarnings(object.child('spec', 'template'))),
    ...object.items('spec', 'volumeClaimTemplates').flatMap(claim => claimFractionWarnings(claim, old !== undefined)),
    ...(object.number('spec', 'revisionHistoryLimit') < 0n
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ],
};

/** Returns warnings about fractions of bytes; on an update the path names the claim's specification by its Go name. */
function claimFractionWarnings(claim: FieldPath, isUpdate: boolean): string[] {
  return storageWarnings(claim.child('spec', 'resources').shownAt(`${claim.path}${isUpdate ? '.Spec' : ''}.resources`));
}

function checkStatefulSet(spec: FieldPath, isNew: boolean): void {
  const management = spec.child('podManagementPolicy');
  if (management.text() === '') management.required();
  else if (!['OrderedReady', 'Parallel'].includes(management.text())) management.invalid("must be 'OrderedReady' or 'Parallel'");
  checkStatefulSetStrategy(spec.child('updateStrategy'));
  const retention = spec.child('persistentVolumeClaimRetentionPolicy');
  if (retention.isSet())
    for (const key of ['whenDeleted', 'whenScaled'])
      if (!['Retain', 'Delete'].includes(retention.text(key))) retention.child(key).notSupported(['Retain', 'Delete']);
  if (isNew) for (const claim of spec.items('volumeClaimTemplates')) checkClaimSpec(claim.child('spec'));
  checkNonNegative(spec.child('replicas'));
  checkNonNegative(spec.child('minReadySeconds'));
  checkNonNegative(spec.child('ordinals', 'start'));
  if (isNew && spec.text('serviceName') !== '') checkName(spec.child('serviceName'), dns1123LabelProblems);
  checkRequiredSelector(spec, 'statefulset');
  checkStatefulTemplate(spec);
  checkAlways(spec, 'StatefulSet');
}

function checkStatefulTemplate(spec: FieldPath): void {
  const selector = spec.child('selector');
  if (!isUsableSelector(selector)) {
    selector.invalid(internalValue(spec.server, 'meta/v1.LabelSelector', selector.value), '');
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  // Hostname, subdomain and volumes with the names of its claims are set by the controller.
  const template = spec.child('template');
  const podSpec = new Map(template.child('spec').members());
  podSpec.delete('subdomain');
  podSpec.delete('hostname');
  const claims = spec.items('volumeClaimTemplates').map(claim => claim.text('metadata', 'name'));
  if (claims.length > 0) {
    const own = template.items('spec', 'volumes').filter(volume => !claims.includes(volume.text('name')));
    podSpec.set('volumes', [...[...new Set(claims)].map(claimVolume), ...own.map(volume => volume.value ?? null)]);
  }
  checkPodTemplate(template.withValue(new Map([...template.members(), ['spec', podSpec]])));
  // All of this was already validated; here the paths omit the metadata.
  const metadata = template.child('metadata').shownAt(template.path);
  checkLabels(metadata.child('labels'));
  metadata.add(annotationErrors(spec.server, metadata.child('annotations').members(), `${metadata.path}.annotations`));
  checkPodAnnotations(metadata.child('annotations'), template.child('spec'));
}

function claimVolume(name: string): Value {
  return new Map<string, Value>([
    ['name', name],
    ['persistentVolumeClaim', new Map([['claimName', name]])],
  ]);
}

function checkStatefulSetStrategy(strategy: FieldPath): void {
  const [type, rolling] = [strategy.text('type'), strategy.child('rollingUpdate')];
  if (type === '') strategy.required();
  else if (type === 'OnDelete' || (type === 'Recreate' && strategy.server.isEnabled('StatefulSetRecreateStrategy'))) {
    if (rolling.isSet())
      rolling.invalid(
        internalValue(strategy.server, 'apps/v1.RollingUpdateStatefulSetStrategy', rolling.value),
        "only allowed for updateStrategy 'RollingUpdate'",
      );
  } else if (type === 'RollingUpdate') {
    checkNonNegative(rolling.child('partition'));
    const unavailable = rolling.child('maxUnavailable');
    if (!unavailable.isSet()) return;
    checkIntOrPercent(unavailable);
    if (amountIn(unavailable) === 0n) unavailable.invalid(intOrStringValue(unavailable), 'cannot be 0');
    checkNotMoreThanAll(unavailable);
  } else {
    const types = strategy.server.isEnabled('StatefulSetRecreateStrategy')
      ? "'RollingUpdate', 'OnDelete', or 'Recreate'"
      : "'RollingUpdate' or 'OnDelete'";
    strategy.invalid(internalValue(strategy.server, 'apps/v1.StatefulSetUpdateStrategy', strategy.value), `must be ${types}`);
  }
}

const statefulSetChangeable = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

function keepStatefulSet(object: FieldPath, old: FieldPath): void {
  if (object.server.since('v1.37')) {
    for (const name of ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'])
      checkImmutable(object.child('spec'), old.child('spec'), { type: 'apps/v1.StatefulSetSpec', name });
    return;
  }
  const fixed = (field: FieldPath): ValueMap =>
    new Map([...field.child('spec').members()].filter(([key]) => !statefulSetChangeable.has(key)));
  if (!semanticallyEqualAs(structNamed(object.server, 'apps/v1.StatefulSetSpec'), fixed(object), fixed(old)))
    object
      .child('spec')
      .forbidden(
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      );
}
