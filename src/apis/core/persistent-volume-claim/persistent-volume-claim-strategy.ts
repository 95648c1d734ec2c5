import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { copyOf, ensureMap, mapAt, stringAt, type ValueMap } from '../../../go/value.js';

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
