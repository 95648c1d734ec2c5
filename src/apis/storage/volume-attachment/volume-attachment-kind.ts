import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkInlineVolume } from '../../core/persistent-volume/persistent-volume-validation.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';

const maxMetadataSize = 256 * 1024;

/** Source: storage/validation ValidateVolumeAttachment. */
const volumeAttachmentRules: KindRules = {
  create: checkNewAttachment,
  existing: checkAttachment,
  update: [
    'metadata',
    attachment => (attachment.server.since('v1.36') ? checkNewAttachment(attachment) : checkAttachment(attachment)),
    (now, old) => checkImmutable(now, old, { type: 'storage/v1.VolumeAttachment', name: 'spec' }),
  ],
};

/** Also validates the names. Source: storage/validation ValidateVolumeAttachmentV1. */
function checkNewAttachment(attachment: FieldPath): void {
  checkAttachment(attachment);
  const spec = attachment.child('spec');
  if (!attachment.server.since('v1.36')) checkDriverName(spec.child('attacher'));
  const volume = spec.child('source', 'persistentVolumeName');
  if (volume.isSet()) checkName(volume, dns1123SubdomainProblems);
}

function checkAttachment(attachment: FieldPath): void {
  const spec = attachment.child('spec');
  const attacher = spec.child('attacher');
  if (attachment.server.since('v1.36')) checkDriverName(attacher);
  else if (attacher.text() === '') attacher.required();
  const source = spec.child('source');
  const [inline, volume] = [source.child('inlineVolumeSpec'), source.child('persistentVolumeName')];
  const message = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline.isSet() && volume.isSet()) source.forbidden(message);
  else if (volume.isSet()) {
    if (volume.text() === '') volume.required('must specify non empty persistentVolumeName');
  } else if (inline.isSet()) checkInlineVolume(inline);
  else source.required(message);
  checkName(spec.child('nodeName'), dns1123SubdomainProblems);
  checkStatus(attachment.child('status'));
}

function checkStatus(status: FieldPath): void {
  const metadata = status.child('attachmentMetadata');
  const size = metadata.entries().reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value.text()), 0);
  if (size > maxMetadataSize) metadata.tooLong(maxMetadataSize);
  for (const name of ['attachError', 'detachError']) {
    const message = status.child(name, 'message');
    // Up to v1.36 the error shows the limit of the metadata.
    if (Buffer.byteLength(message.text()) > 1024) message.tooLong(message.server.since('v1.37') ? 1024 : maxMetadataSize);
    const code = status.child(name, 'errorCode');
    if (code.number() < 0n) code.invalid('must be between 0 and 2147483647, inclusive');
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
