import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addForbidden, addRequired, at, isSet, type Place, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { since } from '../../../kubernetes/kubernetes-version.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';

/** Validation of an attachment, except for an inline volume. Source: storage/validation ValidateVolumeAttachment. */
export const volumeAttachmentRules: KindRules = {
  create: checkAttachment,
  update: ['metadata', checkAttachment, (now, old) => checkImmutable(now, old, { type: 'storage/v1.VolumeAttachment', name: 'spec' })],
};

function checkAttachment(attachment: Place): void {
  const spec = at(attachment, 'spec');
  const attacher = at(spec, 'attacher');
  if (since('v1.36')) checkDriverName(attacher);
  else if (textOf(attacher) === '') addRequired(attacher);
  const source = at(spec, 'source');
  const [inline, volume] = [at(source, 'inlineVolumeSpec'), at(source, 'persistentVolumeName')];
  const words = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (isSet(inline) && isSet(volume)) addForbidden(source, words);
  else if (isSet(volume)) {
    if (textOf(volume) === '') addRequired(volume, 'must specify non empty persistentVolumeName');
  } else if (!isSet(inline)) addRequired(source, words);
  checkName(at(spec, 'nodeName'), dns1123SubdomainProblems);
  if (!since('v1.36')) checkDriverName(attacher);
  if (isSet(volume)) checkName(volume, dns1123SubdomainProblems);
}
