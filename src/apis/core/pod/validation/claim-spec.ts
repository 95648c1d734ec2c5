import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  entryAt,
  hasSet,
  isSet,
  lengthOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkName, checkRequired } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';
import { quantitySign } from '../../../../kubernetes/quantity.js';

/** Access modes. */
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const volumeModes = ['Block', 'Filesystem'];

/** Validates the spec of a claim. Source: ValidatePersistentVolumeClaimSpec. */
export function checkClaimSpec(spec: Place): void {
  const modes = at(spec, 'accessModes');
  if (lengthOf(modes) === 0) addRequired(modes, 'at least 1 access mode is required');
  checkLabelSelector(at(spec, 'selector'));
  checkAccessModes(modes);
  checkStorage(spec);
  if (textAt(spec, 'storageClassName') !== '') checkName(at(spec, 'storageClassName'), dns1123SubdomainProblems);
  const mode = at(spec, 'volumeMode');
  if (isSet(mode) && !volumeModes.includes(textOf(mode))) addUnsupported(mode, volumeModes);
  checkDataSource(at(spec, 'dataSource'));
  checkDataSource(at(spec, 'dataSourceRef'));
  compareDataSources(spec);
  if (textAt(spec, 'volumeAttributesClassName') !== '') checkName(at(spec, 'volumeAttributesClassName'), dns1123SubdomainProblems);
}

/** Validates access modes; ReadWriteOncePod must be the only one. */
export function checkAccessModes(modes: Place): void {
  for (const mode of textsOf(modes)) if (!accessModes.includes(mode)) addUnsupported(modes, accessModes, mode);
  const known = textsOf(modes).filter(mode => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some(mode => mode !== 'ReadWriteOncePod'))
    addForbidden(modes, 'may not use ReadWriteOncePod with other access modes');
}

function checkStorage(spec: Place): void {
  const shown = entryAt(at(spec, 'resources'), 'storage');
  const amount: Place = { ...shown, value: at(spec, 'resources', 'requests', 'storage').value };
  if (!isSet(amount)) addRequired(amount);
  else if (quantitySign(textOf(amount)) <= 0) addInvalid(amount, 'must be greater than zero');
}

function checkDataSource(source: Place): void {
  if (!isSet(source)) return;
  checkRequired(source, 'name', 'kind');
  const group = textAt(source, 'apiGroup');
  if (group === '' && textAt(source, 'kind') !== 'PersistentVolumeClaim')
    addInvalid(source, "must be 'PersistentVolumeClaim' when referencing the default apiGroup", textAt(source, 'kind'));
  if (group !== '') checkName(at(source, 'apiGroup'), dns1123SubdomainProblems);
  if (textAt(source, 'namespace') !== '') checkName(at(source, 'namespace'), dns1123LabelProblems);
}

function compareDataSources(spec: Place): void {
  const [source, reference] = [at(spec, 'dataSource'), at(spec, 'dataSourceRef')];
  if (!isSet(source) || !isSet(reference)) return;
  if (textAt(reference, 'namespace') !== '')
    addInvalid(spec, 'may not be specified when dataSourceRef.namespace is specified', { rawJson: '{}' });
  else if (
    ['apiGroup', 'kind', 'name'].some(key => textAt(source, key) !== textAt(reference, key)) ||
    hasSet(source, 'apiGroup') !== hasSet(reference, 'apiGroup')
  )
    addInvalid(spec, 'must match dataSourceRef', { rawJson: '{}' });
}
