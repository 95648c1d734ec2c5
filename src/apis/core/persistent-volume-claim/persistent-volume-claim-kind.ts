import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { copyOf, ensureMap, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { checkClaimSpec } from '../pod/validation/claim-spec.js';
import { checkBasicAmount, checkResourceAmount } from '../pod/validation/container-resources.js';
import { storageWarnings } from '../pod/validation/pod-warnings.js';
import { checkHasVersion } from '../required-resource-version.js';
import { checkClaimChange } from './claim-change.js';

/** Source: kubernetes pkg/registry/core/persistentvolumeclaim/strategy.go. */
const persistentVolumeClaim: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    object.set('status', new Map());
    settleDataSources(ensureMap(object, 'spec'), undefined);
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') settleDataSources(ensureMap(object, 'spec'), mapAt(old, 'spec'));
  },
});

/** Adapts the data sources of a claim to the stored ones. Source: pkg/api/persistentvolumeclaim/util.go. */
function settleDataSources(spec: ValueMap, before: ValueMap | undefined): void {
  // Sources in other namespaces have a disabled feature gate.
  if (stringAt(spec, 'dataSourceRef', 'namespace') !== '' && mapAt(before, 'dataSourceRef') === undefined) spec.delete('dataSourceRef');
  const isInUse = mapAt(before, 'dataSource') !== undefined || mapAt(before, 'dataSourceRef') !== undefined;
  const source = mapAt(spec, 'dataSource');
  if (!isInUse && source !== undefined && mapAt(spec, 'dataSourceRef') === undefined && !isKnownSource(source)) spec.delete('dataSource');
  normalizeDataSources(spec);
}

/** Keeps `dataSource` and `dataSourceRef` equal. */
function normalizeDataSources(spec: ValueMap): void {
  const [source, reference] = [mapAt(spec, 'dataSource'), mapAt(spec, 'dataSourceRef')];
  if (source !== undefined && reference === undefined) spec.set('dataSourceRef', copyOf(source));
  if (source !== undefined || reference === undefined || stringAt(reference, 'namespace') !== '') return;
  const copied = copyOf(reference);
  copied.delete('namespace');
  spec.set('dataSource', copied);
}

/** Reports whether the source is a claim or a volume snapshot. */
function isKnownSource(source: ValueMap): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (group === '' && kind === 'PersistentVolumeClaim') || (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');
}

/** Source: core/validation ValidatePersistentVolumeClaimStatusUpdate. */
const claimStatus: readonly UpdateStep[] = ['changes', checkHasVersion, checkClaimStatus];

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

function checkClaimStatus(claim: FieldPath): void {
  if (claim.child('spec', 'accessModes').length() === 0) claim.shownAt('Spec.accessModes').required();
  for (const [, amount] of claim.entries('status', 'capacity')) checkBasicAmount(amount);
  const states = claim.child('status', 'allocatedResourceStatuses');
  for (const [name, state] of claim.entries('status', 'allocatedResourceStatuses')) {
    checkClaimResource(states, name);
    if (!resizeStates.includes(state.text())) states.notSupported(name, resizeStates);
  }
  const amounts = claim.child('status', 'allocatedResources');
  for (const [name, amount] of claim.entries('status', 'allocatedResources')) {
    const before = claim.errors.length;
    checkClaimResource(amounts, name);
    if (claim.errors.length === before) checkBasicAmount(amount);
    if (claim.errors.length === before) checkResourceAmount(amount, 'storage');
  }
}

/** Source: validatePersistentVolumeClaimResourceKey. */
function checkClaimResource(field: FieldPath, name: string): void {
  const problems = labelKeyProblems(field.server, name);
  field.invalidEach(name, problems);
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  if (problems.length === 0 && isNative && name !== 'storage') field.notSupported(name, ['storage']);
}

/** Source: core/validation ValidatePersistentVolumeClaim. */
const claimRules: KindRules = {
  create: claim => checkClaimSpec(claim.child('spec')),
  update: ['changes', 'metadata', (claim, old) => checkClaimSpec(claim.child('spec'), old.child('spec')), checkClaimChange],
  warnings: claimWarnings,
};

function claimWarnings(claim: FieldPath): string[] {
  const annotation = 'volume.beta.kubernetes.io/storage-class';
  return [
    ...(claim.child('metadata', 'annotations').members().has(annotation)
      ? [`metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
      : []),
    ...storageWarnings(claim.child('spec', 'resources')),
  ];
}

/** PersistentVolumeClaim. */
export const persistentVolumeClaimKind: KindDefinition = {
  refine: persistentVolumeClaim,
  validation: claimRules,
  checkedTwiceUntil: 'v1.34',
  subresources: { status: { update: claimStatus } },
  gatedFields: [{ gates: ['CSIVolumeHealth'], paths: ['status.healthStatus'] }],
  resetsStatus: true,
  deletion: { returnsObject: true },
};
