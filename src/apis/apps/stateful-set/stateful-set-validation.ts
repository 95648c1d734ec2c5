import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import { annotationErrors } from '../../../apiserver/registry/object-meta.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  isSet,
  itemsAt,
  mapOf,
  numberAt,
  type Place,
  shownAt,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
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
import { checkIntOrPercent, checkNotMoreThanAll } from '../int-or-percent.js';

/** Source: apps/validation ValidateStatefulSet. */
export const statefulSetRules: KindRules = {
  create: object => checkStatefulSet(at(object, 'spec'), true),
  update: ['changes', object => checkStatefulSet(at(object, 'spec'), false), keepStatefulSet],
  warnings: (object, old) => [
    ...ofChanged(object, old, () => templateWarnings(at(object, 'spec', 'template'))),
    ...itemsAt(object, 'spec', 'volumeClaimTemplates').flatMap(claim => claimFractionWarnings(claim, old !== undefined)),
    ...(numberAt(object, 'spec', 'revisionHistoryLimit') < 0n
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ],
};

/** Returns warnings about fractions of bytes; on an update the path names the claim's specification by its Go name. */
function claimFractionWarnings(claim: Place, isUpdate: boolean): string[] {
  return storageWarnings(shownAt(at(claim, 'spec', 'resources'), `${claim.path}${isUpdate ? '.Spec' : ''}.resources`));
}

function checkStatefulSet(spec: Place, isNew: boolean): void {
  const management = at(spec, 'podManagementPolicy');
  if (textOf(management) === '') addRequired(management);
  else if (!['OrderedReady', 'Parallel'].includes(textOf(management))) addInvalid(management, "must be 'OrderedReady' or 'Parallel'");
  checkStatefulSetStrategy(at(spec, 'updateStrategy'));
  const retention = at(spec, 'persistentVolumeClaimRetentionPolicy');
  if (isSet(retention))
    for (const key of ['whenDeleted', 'whenScaled'])
      if (!['Retain', 'Delete'].includes(textAt(retention, key))) addUnsupported(at(retention, key), ['Retain', 'Delete']);
  if (isNew) for (const claim of itemsAt(spec, 'volumeClaimTemplates')) checkClaimSpec(at(claim, 'spec'));
  checkNonNegative(at(spec, 'replicas'));
  checkNonNegative(at(spec, 'minReadySeconds'));
  checkNonNegative(at(spec, 'ordinals', 'start'));
  if (isNew && textAt(spec, 'serviceName') !== '') checkName(at(spec, 'serviceName'), dns1123LabelProblems);
  checkRequiredSelector(spec, 'statefulset');
  checkStatefulTemplate(spec);
  checkAlways(spec, 'StatefulSet');
}

function checkStatefulTemplate(spec: Place): void {
  const selector = at(spec, 'selector');
  if (!isUsableSelector(selector)) {
    addInvalid(selector, '', internalValue(spec.server, 'meta/v1.LabelSelector', selector.value));
    return;
  }
  if (!isEmptySelector(selector)) checkSelected(spec, selector.value);
  // Hostname, subdomain and volumes with the names of its claims are set by the controller.
  const template = at(spec, 'template');
  const podSpec = new Map(mapOf(at(template, 'spec')));
  podSpec.delete('subdomain');
  podSpec.delete('hostname');
  const claims = itemsAt(spec, 'volumeClaimTemplates').map(claim => textAt(claim, 'metadata', 'name'));
  if (claims.length > 0) {
    const own = itemsAt(template, 'spec', 'volumes').filter(volume => !claims.includes(textAt(volume, 'name')));
    podSpec.set('volumes', [...[...new Set(claims)].map(claimVolume), ...own.map(volume => volume.value ?? null)]);
  }
  checkPodTemplate({ ...template, value: new Map([...mapOf(template), ['spec', podSpec]]) });
  // All of this was already validated; here the paths omit the metadata.
  const metadata = shownAt(at(template, 'metadata'), template.path);
  checkLabels(at(metadata, 'labels'));
  metadata.errors.push(...annotationErrors(spec.server, mapOf(at(metadata, 'annotations')), `${metadata.path}.annotations`));
  checkPodAnnotations(at(metadata, 'annotations'), at(template, 'spec'));
}

function claimVolume(name: string): Value {
  return new Map<string, Value>([
    ['name', name],
    ['persistentVolumeClaim', new Map([['claimName', name]])],
  ]);
}

function checkStatefulSetStrategy(strategy: Place): void {
  const [type, rolling] = [textAt(strategy, 'type'), at(strategy, 'rollingUpdate')];
  if (type === '') addRequired(strategy);
  else if (type === 'OnDelete' || (type === 'Recreate' && strategy.server.isEnabled('StatefulSetRecreateStrategy'))) {
    if (isSet(rolling))
      addInvalid(
        rolling,
        "only allowed for updateStrategy 'RollingUpdate'",
        internalValue(strategy.server, 'apps/v1.RollingUpdateStatefulSetStrategy', rolling.value),
      );
  } else if (type === 'RollingUpdate') {
    checkNonNegative(at(rolling, 'partition'));
    const unavailable = at(rolling, 'maxUnavailable');
    if (!isSet(unavailable)) return;
    checkIntOrPercent(unavailable);
    if (amountIn(unavailable) === 0n) addInvalid(unavailable, 'cannot be 0');
    checkNotMoreThanAll(unavailable);
  } else {
    const types = strategy.server.isEnabled('StatefulSetRecreateStrategy')
      ? "'RollingUpdate', 'OnDelete', or 'Recreate'"
      : "'RollingUpdate' or 'OnDelete'";
    addInvalid(strategy, `must be ${types}`, internalValue(strategy.server, 'apps/v1.StatefulSetUpdateStrategy', strategy.value));
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

function keepStatefulSet(object: Place, old: Place): void {
  if (object.server.since('v1.37')) {
    for (const name of ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'])
      checkImmutable(at(object, 'spec'), at(old, 'spec'), { type: 'apps/v1.StatefulSetSpec', name });
    return;
  }
  const fixed = (place: Place): ValueMap => new Map([...mapOf(at(place, 'spec'))].filter(([key]) => !statefulSetChangeable.has(key)));
  if (!semanticallyEqualAs(structNamed(object.server, 'apps/v1.StatefulSetSpec'), fixed(object), fixed(old)))
    addForbidden(
      at(object, 'spec'),
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
}
