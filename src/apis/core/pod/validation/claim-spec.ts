import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkLabelSelector, checkName, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../../kubernetes/quantity.js';

/** Access modes. */
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** Validates the spec of a claim. Source: ValidatePersistentVolumeClaimSpec, allowInvalidAPIGroupInDataSourceOrRef. */
export function checkClaimSpec(spec: FieldPath, old?: FieldPath): void {
  const modes = spec.child('accessModes');
  if (modes.length() === 0) modes.required('at least 1 access mode is required');
  checkLabelSelector(spec.child('selector'));
  checkAccessModes(modes);
  checkStorage(spec);
  if (spec.text('storageClassName') !== '') checkName(spec.child('storageClassName'), dns1123SubdomainProblems);
  const mode = spec.child('volumeMode');
  if (mode.isSet() && !volumeModes.includes(mode.text())) mode.notSupported(volumeModes);
  const allowsAnyGroup = old !== undefined && ['dataSource', 'dataSourceRef'].some(name => old.child(name).has('apiGroup'));
  checkDataSource(spec.child('dataSource'), allowsAnyGroup);
  checkDataSource(spec.child('dataSourceRef'), allowsAnyGroup);
  compareDataSources(spec);
  if (spec.text('volumeAttributesClassName') !== '') checkName(spec.child('volumeAttributesClassName'), dns1123SubdomainProblems);
}

/** Validates access modes; ReadWriteOncePod must be the only one. */
export function checkAccessModes(modes: FieldPath): void {
  for (const mode of modes.texts()) if (!accessModes.includes(mode)) modes.notSupported(mode, accessModes);
  const known = modes.texts().filter(mode => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some(mode => mode !== 'ReadWriteOncePod'))
    modes.forbidden('may not use ReadWriteOncePod with other access modes');
}

function checkStorage(spec: FieldPath): void {
  const shown = spec.child('resources').key('storage');
  const amount = shown.withValue(spec.child('resources', 'requests', 'storage').value);
  if (!amount.isSet()) amount.required();
  else if (quantitySign(amount.text()) <= 0) amount.invalid('must be greater than zero');
}

function checkDataSource(source: FieldPath, allowsAnyGroup: boolean): void {
  if (!source.isSet()) return;
  checkRequired(source, 'name', 'kind');
  const group = source.text('apiGroup');
  if (group === '' && source.text('kind') !== 'PersistentVolumeClaim')
    source.invalid(source.text('kind'), "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  if (group !== '' && !allowsAnyGroup) checkName(source.child('apiGroup'), dns1123SubdomainProblems);
  if (source.text('namespace') !== '') checkName(source.child('namespace'), dns1123LabelProblems);
}

function compareDataSources(spec: FieldPath): void {
  const [source, reference] = [spec.child('dataSource'), spec.child('dataSourceRef')];
  if (!source.isSet() || !reference.isSet()) return;
  if (reference.text('namespace') !== '') spec.invalid({ rawJson: '{}' }, 'may not be specified when dataSourceRef.namespace is specified');
  else if (
    ['apiGroup', 'kind', 'name'].some(key => source.text(key) !== reference.text(key)) ||
    source.has('apiGroup') !== reference.has('apiGroup')
  )
    spec.invalid({ rawJson: '{}' }, 'must match dataSourceRef');
}
