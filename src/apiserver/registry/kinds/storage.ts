import { timestampOf } from '../../../kubernetes/timestamp.js';
import { copyOf, ensureMap, isMap, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../../kubernetes/value.js';
import type { Refinement } from '../strategy.js';

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
    normalizeDataSources(ensureMap(object, 'spec'));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') normalizeDataSources(ensureMap(object, 'spec'));
  },
});

/** Keeps `dataSource` and `dataSourceRef` telling the same, and drops sources nothing can populate from. */
export function normalizeDataSources(spec: ValueMap): void {
  // Sources in other namespaces are behind a gate that is off.
  if (stringAt(spec, 'dataSourceRef', 'namespace') !== '') spec.delete('dataSourceRef');
  const source = mapAt(spec, 'dataSource');
  const reference = mapAt(spec, 'dataSourceRef');
  if (source !== undefined && reference === undefined) {
    if (isKnownSource(source)) spec.set('dataSourceRef', copyOf(source));
    else spec.delete('dataSource');
  } else if (source === undefined && isMap(reference) && stringAt(reference, 'namespace') === '' && isKnownSource(reference)) {
    const copied = copyOf(reference);
    copied.delete('namespace');
    spec.set('dataSource', copied);
  }
}

/** A claim, or a snapshot of a volume. */
function isKnownSource(source: ValueMap): boolean {
  const group = stringAt(source, 'apiGroup');
  const kind = stringAt(source, 'kind');
  return (
    (group === '' && kind === 'PersistentVolumeClaim' && valueAt(source, 'name') !== undefined) ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}
