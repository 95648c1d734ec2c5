import { countGeneration, equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { checkImmutable, memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addUnsupported,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  numberOf,
  type Place,
  shownAt,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';

const tokenRequests = { type: 'storage/v1.CSIDriverSpec', name: 'tokenRequests' };

/** Source: storage/validation ValidateCSIDriver. */
const csiDriverRules: KindRules = {
  create: driver => checkCsiDriver(at(driver, 'spec')),
  update: [
    'changes',
    driver => checkCsiDriver(at(driver, 'spec')),
    (driver, old) => {
      const [spec, before] = [at(driver, 'spec'), at(old, 'spec')];
      const attach = { type: 'storage/v1.CSIDriverSpec', name: 'attachRequired' };
      const [now, then] = [at(spec, 'attachRequired'), at(before, 'attachRequired')];
      // Up to v1.37 the path has a different name.
      const shown = driver.server.since('v1.38') ? now : shownAt(now, 'spec.attachedRequired');
      if (!sameMember(driver.server, now.value, then.value, attach))
        addInvalid(shown, 'field is immutable', memberValue(driver.server, now.value, attach));
      checkImmutable(spec, before, { type: 'storage/v1.CSIDriverSpec', name: 'volumeLifecycleModes' });
    },
  ],
  warnings: (driver, old) =>
    driver.server.since('v1.35') &&
    lengthOf(at(driver, 'spec', 'tokenRequests')) > 0 &&
    (old === undefined ||
      !sameMember(driver.server, at(driver, 'spec', 'tokenRequests').value, at(old, 'spec', 'tokenRequests').value, tokenRequests)) &&
    !isSet(at(driver, 'spec', 'serviceAccountTokenInSecrets'))
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
};

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

/**
 * Strategy of CSI drivers: the first generation is set by the first change. Source: kubernetes pkg/registry/storage/csidriver/strategy.go.
 */
const csiDriver: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (!equalIn(context.server, context.resource, 'spec', object, old)) countGeneration(object, old);
  },
});

/** CSIDriver. */
export const csiDriverKind: KindDefinition = {
  refine: csiDriver,
  validation: csiDriverRules,
  gatedFields: [
    { gates: ['SELinuxMountReadWriteOncePod'], paths: ['spec.seLinuxMount'] },
    { gates: ['MutableCSINodeAllocatableCount'], paths: ['spec.nodeAllocatableUpdatePeriodSeconds'] },
    { gates: ['CSIServiceAccountTokenSecrets'], paths: ['spec.serviceAccountTokenInSecrets'] },
    { gates: ['VolumeLimitScaling'], paths: ['spec.preventPodSchedulingIfMissing'] },
  ],
  allowsUnconditionalUpdate: false,
  deletion: { returnsObject: true },
};
