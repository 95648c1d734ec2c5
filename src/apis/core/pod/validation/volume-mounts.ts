import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkDescendingPath } from '../../../../apiserver/registry/validation/rules.js';
import type { PodContext } from './pod-context.js';

/** Validates volume mounts; some errors name the list. Source: ValidateVolumeMounts. */
export function checkVolumeMounts(container: FieldPath, { volumes }: PodContext): void {
  const mounts = container.child('volumeMounts');
  const devices = container.child('volumeDevices').items();
  const paths = new Set<string>();
  for (const mount of mounts.items()) {
    const [name, path] = [mount.child('name'), mount.child('mountPath')];
    if (name.text() === '') name.required();
    if (!volumes.has(name.text())) name.notFound();
    if (path.text() === '') path.required();
    if (paths.has(path.text())) path.invalid('must be unique');
    paths.add(path.text());
    if (devices.some(device => device.text('name') === name.text())) name.invalid('must not already exist in volumeDevices');
    if (devices.some(device => device.text('devicePath') === path.text()))
      path.invalid('must not already exist as a path in volumeDevices');
    checkSubPaths(mount, mounts);
    checkPropagation(mount, { container, list: mounts });
    checkRecursiveReadOnly(mount, mounts);
    checkBindOptions(mount.child('bindMountOptions'), volumes.get(name.text()));
  }
}

/** Validates the block devices of a container. Source: ValidateVolumeDevices. */
export function checkVolumeDevices(container: FieldPath, { volumes }: PodContext): void {
  const mounts = container.child('volumeMounts').items();
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const device of container.child('volumeDevices').items()) {
    const [name, path] = [device.child('name'), device.child('devicePath')];
    const volume = volumes.get(name.text());
    if (name.text() === '') name.required();
    if (names.has(name.text())) name.invalid('must be unique');
    if (volume === undefined) name.notFound();
    else if (!volume.has('persistentVolumeClaim') && !volume.has('ephemeral'))
      name.invalid('can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if (path.text() === '') path.required();
    if (paths.has(path.text())) path.invalid('must be unique');
    if (path.text().split('/').includes('..')) path.invalid("can not contain backsteps ('..')");
    else paths.add(path.text());
    if (mounts.some(mount => mount.text('name') === name.text())) name.invalid('must not already exist in volumeMounts');
    if (mounts.some(mount => mount.text('mountPath') === path.text())) path.invalid('must not already exist as a path in volumeMounts');
    if (name.text() !== '') names.add(name.text());
  }
}

function checkBindOptions(options: FieldPath, volume: FieldPath | undefined): void {
  const seen = new Set<string>();
  for (const option of options.items()) {
    if (!['nodev', 'noexec', 'nosuid'].includes(option.text())) option.notSupportedText(['nodev', 'noexec', 'nosuid']);
    if (seen.has(option.text())) option.duplicate();
    seen.add(option.text());
  }
  if (seen.size > 0 && volume !== undefined && volume.has('image')) options.invalid('bindMountOptions may not be used with image volumes');
}

function checkSubPaths(mount: FieldPath, list: FieldPath): void {
  const [path, expression] = [mount.child('subPath'), mount.child('subPathExpr')];
  if (path.text() !== '') checkDescendingPath(path.shownAt(`${list.path}.subPath`));
  if (expression.text() === '') return;
  if (path.text() !== '') expression.invalid('subPathExpr and subPath are mutually exclusive');
  checkDescendingPath(expression.shownAt(`${list.path}.subPathExpr`));
}

function checkPropagation(mount: FieldPath, { container, list }: { readonly container: FieldPath; readonly list: FieldPath }): void {
  const propagation = mount.child('mountPropagation').shownAt(`${list.path}.mountPropagation`);
  if (!propagation.isSet()) return;
  const known = ['Bidirectional', 'HostToContainer', 'None'];
  if (!known.includes(propagation.text())) propagation.notSupported(known);
  if (propagation.text() === 'Bidirectional' && !container.flag('securityContext', 'privileged'))
    propagation.forbidden('Bidirectional mount propagation is available only to privileged containers');
}

function checkRecursiveReadOnly(mount: FieldPath, list: FieldPath): void {
  const recursive = mount.child('recursiveReadOnly').shownAt(`${list.path}.recursiveReadOnly`);
  if (!recursive.isSet() || recursive.text() === 'Disabled') return;
  if (!['Enabled', 'IfPossible'].includes(recursive.text())) {
    recursive.notSupported(['Disabled', 'Enabled', 'IfPossible']);
    return;
  }
  if (!mount.flag('readOnly')) recursive.forbidden('may only be specified when readOnly is true');
  if (!['', 'None'].includes(mount.text('mountPropagation')))
    recursive.forbidden('may only be specified when mountPropagation is None or not specified');
}
