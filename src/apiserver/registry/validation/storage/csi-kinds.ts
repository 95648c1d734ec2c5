import { dns1123SubdomainProblems, labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import type { ValueMap } from '../../../../kubernetes/value.js';
import { semanticallyEqualAs } from '../../../objects/semantic-equality.js';
import { internalValue } from '../go-value.js';
import { checkImmutable, memberValue, sameMember } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  numberOf,
  type Place,
  shownAt,
  textAt,
  textOf,
  textsOf,
} from '../place.js';
import { checkAmountSign } from '../pods/container-resources.js';
import { labelSelectorWarnings } from '../pods/node-labels.js';
import { checkDriverName } from '../pods/volume-sources.js';
import { checkLabelSelector, checkName, checkNonNegative } from '../rules.js';

/** Source: storage/validation ValidateCSINode. */
export const csiNodeRules: KindRules = { create: checkCsiNode, update: ['metadata', checkCsiNode, keepDrivers] };

const tokenRequests = { type: 'storage/v1.CSIDriverSpec', name: 'tokenRequests' };

/** Source: storage/validation ValidateCSIDriver. */
export const csiDriverRules: KindRules = {
  create: driver => checkCsiDriver(at(driver, 'spec')),
  update: [
    'changes',
    driver => checkCsiDriver(at(driver, 'spec')),
    (driver, old) => {
      const [spec, before] = [at(driver, 'spec'), at(old, 'spec')];
      const attach = { type: 'storage/v1.CSIDriverSpec', name: 'attachRequired' };
      const [now, then] = [at(spec, 'attachRequired'), at(before, 'attachRequired')];
      // The path has another name.
      if (!sameMember(now.value, then.value, attach))
        addInvalid(shownAt(now, 'spec.attachedRequired'), 'field is immutable', memberValue(now.value, attach));
      checkImmutable(spec, before, { type: 'storage/v1.CSIDriverSpec', name: 'volumeLifecycleModes' });
    },
  ],
  warnings: (driver, old) =>
    lengthOf(at(driver, 'spec', 'tokenRequests')) > 0 &&
    (old === undefined || !sameMember(at(driver, 'spec', 'tokenRequests').value, at(old, 'spec', 'tokenRequests').value, tokenRequests)) &&
    !isSet(at(driver, 'spec', 'serviceAccountTokenInSecrets'))
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
};

/** Source: storage/validation ValidateCSIStorageCapacity. */
export const csiStorageCapacityRules: KindRules = {
  create: capacity => {
    checkLabelSelector(at(capacity, 'nodeTopology'));
    checkName(at(capacity, 'storageClassName'), dns1123SubdomainProblems);
    checkAmountSign(at(capacity, 'capacity'));
  },
  update: ['changes'],
  warnings: capacity => labelSelectorWarnings(at(capacity, 'nodeTopology')),
};

/** How many volumes a driver takes may change, and nothing else of it. Source: storage/validation ValidateCSINodeUpdate. */
function keepDrivers(node: Place, old: Place): void {
  const type = 'storage/v1.CSINodeDriver';
  const withoutCount = (driver: Place): ValueMap => new Map([...mapOf(driver)].filter(([key]) => key !== 'allocatable'));
  for (const stored of itemsAt(old, 'spec', 'drivers'))
    for (const driver of itemsAt(node, 'spec', 'drivers')) {
      if (textAt(driver, 'name') !== textAt(stored, 'name')) continue;
      const [now, before] = [withoutCount(driver), withoutCount(stored)];
      if (!semanticallyEqualAs(structNamed(type), now, before))
        addInvalid(at(node, 'spec', 'drivers'), 'field is immutable', internalValue(type, now));
    }
}

function checkCsiNode(node: Place): void {
  const names = new Set<string>();
  for (const driver of itemsAt(node, 'spec', 'drivers')) {
    const [name, id] = [at(driver, 'name'), at(driver, 'nodeID')];
    checkDriverName(name);
    if (textOf(id) === '') addRequired(id);
    if (Buffer.byteLength(textOf(id)) > 192) addInvalid(id, 'must be 192 characters or less');
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
    addProblems(driver, labelKeyProblems(key), key);
  }
}

function checkCsiDriver(spec: Place): void {
  const policy = at(spec, 'fsGroupPolicy');
  const known = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (isSet(policy) && !known.includes(textOf(policy))) addUnsupported(policy, known);
  const audiences = new Set<string>();
  for (const request of itemsAt(spec, 'tokenRequests')) {
    const [audience, seconds] = [textAt(request, 'audience'), at(request, 'expirationSeconds')];
    if (audiences.has(audience)) {
      addDuplicate(at(request, 'audience'), audience);
      continue;
    }
    audiences.add(audience);
    if (isSet(seconds) && numberOf(seconds) < 600n) addInvalid(seconds, 'may not specify a duration less than 10 minutes');
    if (numberOf(seconds) > 1n << 32n) addInvalid(seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  const modes = at(spec, 'volumeLifecycleModes');
  for (const mode of indexed(modes).map(textOf))
    if (!['Persistent', 'Ephemeral'].includes(mode)) addUnsupported(modes, ['Persistent', 'Ephemeral'], mode);
  const period = at(spec, 'nodeAllocatableUpdatePeriodSeconds');
  if (isSet(period) && numberOf(period) < 10n) addInvalid(period, 'must be greater than or equal to 10 seconds');
  const inSecrets = at(spec, 'serviceAccountTokenInSecrets');
  if (isSet(inSecrets) && lengthOf(at(spec, 'tokenRequests')) === 0)
    addInvalid(inSecrets, 'serviceAccountTokenInSecrets is set but no tokenRequests are specified');
}
