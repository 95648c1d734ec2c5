import type { Refinement } from '../apiserver/registry/strategy.js';
import { copyOf, ensureMap, mapAt, stringAt, toValue, type ValueMap } from '../go/value.js';
import { timestampOf } from '../kubernetes/timestamp.js';

/** Source: kubernetes pkg/registry/core/persistentvolume/strategy.go. */
export const persistentVolume: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    object.set('status', toValue({ phase: 'Pending', lastPhaseTransitionTime: timestampOf(context.effects.now()) }));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== 'status') return;
    const status = ensureMap(object, 'status');
    const changed = stringAt(status, 'phase') !== stringAt(old, 'status', 'phase');
    const sent = stringAt(status, 'lastPhaseTransitionTime');
    const before = stringAt(old, 'status', 'lastPhaseTransitionTime');
    if (!changed && sent === '' && before !== '') status.set('lastPhaseTransitionTime', before);
    if (changed && (sent === '' || sent === before)) status.set('lastPhaseTransitionTime', timestampOf(context.effects.now()));
  },
});

/** Source: kubernetes pkg/registry/core/persistentvolumeclaim/strategy.go. */
export const persistentVolumeClaim: Refinement = base => ({
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

/** What the specification of a claim says of its source, made to fit what it said before. Source: pkg/api/persistentvolumeclaim/util.go. */
function settleDataSources(spec: ValueMap, before: ValueMap | undefined): void {
  // Sources in other namespaces are behind a gate that is off.
  if (stringAt(spec, 'dataSourceRef', 'namespace') !== '' && mapAt(before, 'dataSourceRef') === undefined) spec.delete('dataSourceRef');
  const isInUse = mapAt(before, 'dataSource') !== undefined || mapAt(before, 'dataSourceRef') !== undefined;
  const source = mapAt(spec, 'dataSource');
  if (!isInUse && source !== undefined && mapAt(spec, 'dataSourceRef') === undefined && !isKnownSource(source)) spec.delete('dataSource');
  normalizeDataSources(spec);
}

/** Keeps `dataSource` and `dataSourceRef` telling the same. */
function normalizeDataSources(spec: ValueMap): void {
  const [source, reference] = [mapAt(spec, 'dataSource'), mapAt(spec, 'dataSourceRef')];
  if (source !== undefined && reference === undefined) spec.set('dataSourceRef', copyOf(source));
  if (source !== undefined || reference === undefined || stringAt(reference, 'namespace') !== '') return;
  const copied = copyOf(reference);
  copied.delete('namespace');
  spec.set('dataSource', copied);
}

/** A claim, or a snapshot of a volume. */
function isKnownSource(source: ValueMap): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (group === '' && kind === 'PersistentVolumeClaim') || (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot');
}
