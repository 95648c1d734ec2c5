import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import type { ValueMap } from '../../../go/value.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';

/** Source: storage/validation ValidateCSINode. */
const csiNodeRules: KindRules = { create: checkCsiNode, update: ['metadata', checkCsiNode, keepDrivers] };

/** Validates that drivers do not change, except their volume limits with the gate MutableCSINodeAllocatableCount. Source: storage/validation ValidateCSINodeUpdate. */
function keepDrivers(node: FieldPath, old: FieldPath): void {
  const type = 'storage/v1.CSINodeDriver';
  const isCountMutable = node.server.isEnabled('MutableCSINodeAllocatableCount');
  const fixed = (driver: FieldPath): ValueMap => new Map([...driver.members()].filter(([key]) => key !== 'allocatable' || !isCountMutable));
  for (const stored of old.items('spec', 'drivers'))
    for (const driver of node.items('spec', 'drivers')) {
      if (driver.text('name') !== stored.text('name')) continue;
      const [now, before] = [fixed(driver), fixed(stored)];
      if (!semanticallyEqualAs(structNamed(node.server, type), now, before))
        node.child('spec', 'drivers').invalid(internalValue(node.server, type, now), 'field is immutable');
    }
}

function checkCsiNode(node: FieldPath): void {
  const names = new Set<string>();
  for (const driver of node.items('spec', 'drivers')) {
    const [name, id] = [driver.child('name'), driver.child('nodeID')];
    checkDriverName(name);
    if (id.text() === '') id.required();
    if (Buffer.byteLength(id.text()) > 256) id.invalid('must be 256 characters or less');
    checkNonNegative(driver.child('allocatable', 'count'));
    if (names.has(name.text())) name.duplicate();
    names.add(name.text());
    checkTopologyKeys(driver);
  }
}

function checkTopologyKeys(driver: FieldPath): void {
  const seen = new Set<string>();
  for (const key of driver.child('topologyKeys').texts()) {
    if (key === '') driver.required();
    if (seen.has(key)) driver.duplicate(key);
    seen.add(key);
    driver.invalidEach(key, labelKeyProblems(driver.server, key));
  }
}

/** CSINode. */
export const csiNodeKind: KindDefinition = {
  validation: csiNodeRules,
  checkedTwiceUntil: 'v1.35',
  gatedFields: [{ gates: ['CSIVolumeHealth'], paths: ['status.storageHealth'] }],
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
