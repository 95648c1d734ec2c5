import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addNotFound,
  addRequired,
  addUnsupported,
  addUnsupportedText,
  at,
  flagAt,
  hasSet,
  indexed,
  isSet,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkDescendingPath } from '../../../../apiserver/registry/validation/rules.js';
import type { PodContext } from './pod-context.js';

/** Validates volume mounts; some errors name the list. Source: ValidateVolumeMounts. */
export function checkVolumeMounts(container: Place, { volumes }: PodContext): void {
  const mounts = at(container, 'volumeMounts');
  const devices = indexed(at(container, 'volumeDevices'));
  const paths = new Set<string>();
  for (const mount of indexed(mounts)) {
    const [name, path] = [at(mount, 'name'), at(mount, 'mountPath')];
    if (textOf(name) === '') addRequired(name);
    if (!volumes.has(textOf(name))) addNotFound(name);
    if (textOf(path) === '') addRequired(path);
    if (paths.has(textOf(path))) addInvalid(path, 'must be unique');
    paths.add(textOf(path));
    if (devices.some(device => textAt(device, 'name') === textOf(name))) addInvalid(name, 'must not already exist in volumeDevices');
    if (devices.some(device => textAt(device, 'devicePath') === textOf(path)))
      addInvalid(path, 'must not already exist as a path in volumeDevices');
    checkSubPaths(mount, mounts);
    checkPropagation(mount, { container, list: mounts });
    checkRecursiveReadOnly(mount, mounts);
    checkBindOptions(at(mount, 'bindMountOptions'), volumes.get(textOf(name)));
  }
}

/** Validates the block devices of a container. Source: ValidateVolumeDevices. */
export function checkVolumeDevices(container: Place, { volumes }: PodContext): void {
  const mounts = indexed(at(container, 'volumeMounts'));
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const device of indexed(at(container, 'volumeDevices'))) {
    const [name, path] = [at(device, 'name'), at(device, 'devicePath')];
    const volume = volumes.get(textOf(name));
    if (textOf(name) === '') addRequired(name);
    if (names.has(textOf(name))) addInvalid(name, 'must be unique');
    if (volume === undefined) addNotFound(name);
    else if (!hasSet(volume, 'persistentVolumeClaim') && !hasSet(volume, 'ephemeral'))
      addInvalid(name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if (textOf(path) === '') addRequired(path);
    if (paths.has(textOf(path))) addInvalid(path, 'must be unique');
    if (textOf(path).split('/').includes('..')) addInvalid(path, "can not contain backsteps ('..')");
    else paths.add(textOf(path));
    if (mounts.some(mount => textAt(mount, 'name') === textOf(name))) addInvalid(name, 'must not already exist in volumeMounts');
    if (mounts.some(mount => textAt(mount, 'mountPath') === textOf(path)))
      addInvalid(path, 'must not already exist as a path in volumeMounts');
    if (textOf(name) !== '') names.add(textOf(name));
  }
}

function checkBindOptions(options: Place, volume: Place | undefined): void {
  const seen = new Set<string>();
  for (const option of indexed(options)) {
    if (!['nodev', 'noexec', 'nosuid'].includes(textOf(option))) addUnsupportedText(option, ['nodev', 'noexec', 'nosuid']);
    if (seen.has(textOf(option))) addDuplicate(option);
    seen.add(textOf(option));
  }
  if (seen.size > 0 && volume !== undefined && hasSet(volume, 'image'))
    addInvalid(options, 'bindMountOptions may not be used with image volumes');
}

function checkSubPaths(mount: Place, list: Place): void {
  const [path, expression] = [at(mount, 'subPath'), at(mount, 'subPathExpr')];
  if (textOf(path) !== '') checkDescendingPath({ ...path, path: `${list.path}.subPath` });
  if (textOf(expression) === '') return;
  if (textOf(path) !== '') addInvalid(expression, 'subPathExpr and subPath are mutually exclusive');
  checkDescendingPath({ ...expression, path: `${list.path}.subPathExpr` });
}

function checkPropagation(mount: Place, { container, list }: { readonly container: Place; readonly list: Place }): void {
  const propagation: Place = { ...at(mount, 'mountPropagation'), path: `${list.path}.mountPropagation` };
  if (!isSet(propagation)) return;
  const known = ['Bidirectional', 'HostToContainer', 'None'];
  if (!known.includes(textOf(propagation))) addUnsupported(propagation, known);
  if (textOf(propagation) === 'Bidirectional' && !flagAt(container, 'securityContext', 'privileged'))
    addForbidden(propagation, 'Bidirectional mount propagation is available only to privileged containers');
}

function checkRecursiveReadOnly(mount: Place, list: Place): void {
  const recursive: Place = { ...at(mount, 'recursiveReadOnly'), path: `${list.path}.recursiveReadOnly` };
  if (!isSet(recursive) || textOf(recursive) === 'Disabled') return;
  if (!['Enabled', 'IfPossible'].includes(textOf(recursive))) {
    addUnsupported(recursive, ['Disabled', 'Enabled', 'IfPossible']);
    return;
  }
  if (!flagAt(mount, 'readOnly')) addForbidden(recursive, 'may only be specified when readOnly is true');
  if (!['', 'None'].includes(textAt(mount, 'mountPropagation')))
    addForbidden(recursive, 'may only be specified when mountPropagation is None or not specified');
}
