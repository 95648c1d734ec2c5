import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkDeclaredImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  at,
  entriesAt,
  isSet,
  numberOf,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkInlineVolume } from '../../core/persistent-volume/persistent-volume-validation.js';
import { checkDeclaredDriverName, checkDriverName } from '../../core/pod/validation/volume-sources.js';

const maxMetadataSize = 256 * 1024;

/** Source: storage/validation ValidateVolumeAttachment. */
const volumeAttachmentRules: KindRules = {
  create: checkNewAttachment,
  existing: checkAttachment,
  update: [
    'metadata',
    (attachment, old) => (attachment.server.since('v1.36') ? checkNewAttachment(attachment, old) : checkAttachment(attachment)),
    (now, old) => checkDeclaredImmutable(now, old, { type: 'storage/v1.VolumeAttachment', name: 'spec' }),
  ],
};

/** Also validates the names. Source: storage/validation ValidateVolumeAttachmentV1. */
function checkNewAttachment(attachment: Place, old?: Place): void {
  checkAttachment(attachment, old);
  const spec = at(attachment, 'spec');
  if (!attachment.server.since('v1.36')) checkDriverName(at(spec, 'attacher'));
  const volume = at(spec, 'source', 'persistentVolumeName');
  if (isSet(volume)) checkName(volume, dns1123SubdomainProblems);
}

function checkAttachment(attachment: Place, old?: Place): void {
  const spec = at(attachment, 'spec');
  const attacher = at(spec, 'attacher');
  // A changed spec fails for that alone.
  if (attachment.server.since('v1.36')) checkDeclaredDriverName(attacher, old && attacher);
  else if (textOf(attacher) === '') addRequired(attacher);
  const source = at(spec, 'source');
  const [inline, volume] = [at(source, 'inlineVolumeSpec'), at(source, 'persistentVolumeName')];
  const message = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (isSet(inline) && isSet(volume)) addForbidden(source, message);
  else if (isSet(volume)) {
    if (textOf(volume) === '') addRequired(volume, 'must specify non empty persistentVolumeName');
  } else if (isSet(inline)) checkInlineVolume(inline);
  else addRequired(source, message);
  checkName(at(spec, 'nodeName'), dns1123SubdomainProblems);
  checkStatus(at(attachment, 'status'));
}

function checkStatus(status: Place): void {
  const metadata = at(status, 'attachmentMetadata');
  const size = entriesAt(metadata).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)), 0);
  if (size > maxMetadataSize) metadata.errors.push(tooLong(metadata.path, maxMetadataSize));
  for (const name of ['attachError', 'detachError']) {
    const message = at(status, name, 'message');
    // Up to v1.36 the error shows the limit of the metadata.
    if (Buffer.byteLength(textOf(message)) > 1024)
      message.errors.push(tooLong(message.path, message.server.since('v1.37') ? 1024 : maxMetadataSize));
    const code = at(status, name, 'errorCode');
    if (numberOf(code) < 0n) addInvalid(code, 'must be between 0 and 2147483647, inclusive');
  }
}

/** VolumeAttachment. */
export const volumeAttachmentKind: KindDefinition = {
  validation: volumeAttachmentRules,
  checkedTwiceUntil: 'v1.34',
  subresources: { status: 'object' },
  gatedFields: ['attachError', 'detachError'].map(error => ({
    gates: ['MutableCSINodeAllocatableCount'],
    paths: [`status.${error}.errorCode`],
  })),
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
