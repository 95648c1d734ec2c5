import { semanticallyEqualAs } from '../../../apiserver/objects/semantic-equality.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  at,
  itemsAt,
  mapOf,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';
import type { ValueMap } from '../../../go/value.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { structNamed } from '../../../kubernetes/type-table.js';
import { checkDriverName } from '../../core/pod/validation/volume-sources.js';

/** Source: storage/validation ValidateCSINode. */
const csiNodeRules: KindRules = { create: checkCsiNode, update: ['metadata', checkCsiNode, keepDrivers] };

/** Validates that drivers do not change, except their volume limits with the gate MutableCSINodeAllocatableCount. Source: storage/validation ValidateCSINodeUpdate. */
function keepDrivers(node: Place, old: Place): void {
  const type = 'storage/v1.CSINodeDriver';
  const isCountMutable = node.server.isEnabled('MutableCSINodeAllocatableCount');
  const fixed = (driver: Place): ValueMap => new Map([...mapOf(driver)].filter(([key]) => key !== 'allocatable' || !isCountMutable));
  for (const stored of itemsAt(old, 'spec', 'drivers'))
    for (const driver of itemsAt(node, 'spec', 'drivers')) {
      if (textAt(driver, 'name') !== textAt(stored, 'name')) continue;
      const [now, before] = [fixed(driver), fixed(stored)];
      if (!semanticallyEqualAs(structNamed(node.server, type), now, before))
        addInvalid(at(node, 'spec', 'drivers'), 'field is immutable', internalValue(node.server, type, now));
    }
}

function checkCsiNode(node: Place): void {
  const names = new Set<string>();
  for (const driver of itemsAt(node, 'spec', 'drivers')) {
    const [name, id] = [at(driver, 'name'), at(driver, 'nodeID')];
    checkDriverName(name);
    if (textOf(id) === '') addRequired(id);
    if (Buffer.byteLength(textOf(id)) > 256) addInvalid(id, 'must be 256 characters or less');
    checkNonNegative(at(driver, 'allocatable', 'count'));
    if (names.has(textOf(name))) addDuplicate(name);
    names.add(textOf(name));
    checkTopologyKeys(driver);
  }
}

function checkTopologyKeys(driver: Place): void {
  const seen = new Set<string>();
  for (const key of textsOf(at(driver, 'topologyKeys'))) {
    if (key === '') addRequired(driver);
    if (seen.has(key)) addDuplicate(driver, key);
    seen.add(key);
    addProblems(driver, labelKeyProblems(driver.server, key), key);
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
