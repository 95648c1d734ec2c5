import { countGeneration, equalIn } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable, memberValue, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';

const tokenRequests = { type: 'storage/v1.CSIDriverSpec', name: 'tokenRequests' };

/** Source: storage/validation ValidateCSIDriver. */
const csiDriverRules: KindRules = {
  create: driver => checkCsiDriver(driver.child('spec')),
  update: [
    'changes',
    driver => checkCsiDriver(driver.child('spec')),
    (driver, old) => {
      const [spec, before] = [driver.child('spec'), old.child('spec')];
      const attach = { type: 'storage/v1.CSIDriverSpec', name: 'attachRequired' };
      const [now, then] = [spec.child('attachRequired'), before.child('attachRequired')];
      // Up to v1.37 the path has a different name.
      const shown = driver.server.since('v1.38') ? now : now.shownAt('spec.attachedRequired');
      if (!sameMember(driver.server, now.value, then.value, attach))
        shown.invalid(memberValue(driver.server, now.value, attach), 'field is immutable');
      checkImmutable(spec, before, { type: 'storage/v1.CSIDriverSpec', name: 'volumeLifecycleModes' });
    },
  ],
  warnings: (driver, old) =>
    driver.server.since('v1.35') &&
    driver.child('spec', 'tokenRequests').length() > 0 &&
    (old === undefined ||
      !sameMember(driver.server, driver.child('spec', 'tokenRequests').value, old.child('spec', 'tokenRequests').value, tokenRequests)) &&
    !driver.child('spec', 'serviceAccountTokenInSecrets').isSet()
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
};

function checkCsiDriver(spec: FieldPath): void {
  const policy = spec.child('fsGroupPolicy');
  const known = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (policy.isSet() && !known.includes(policy.text())) policy.notSupported(known);
  const audiences = new Set<string>();
  for (const request of spec.items('tokenRequests')) {
    const [audience, seconds] = [request.text('audience'), request.child('expirationSeconds')];
    if (audiences.has(audience)) {
      request.child('audience').duplicate(audience);
      continue;
    }
    audiences.add(audience);
    if (seconds.isSet() && seconds.number() < 600n) seconds.invalid('may not specify a duration less than 10 minutes');
    if (seconds.number() > 1n << 32n) seconds.invalid('may not specify a duration larger than 2^32 seconds');
  }
  const modes = spec.child('volumeLifecycleModes');
  for (const mode of modes.items().map(field => field.text()))
    if (!['Persistent', 'Ephemeral'].includes(mode)) modes.notSupported(mode, ['Persistent', 'Ephemeral']);
  const period = spec.child('nodeAllocatableUpdatePeriodSeconds');
  if (period.isSet() && period.number() < 10n) period.invalid('must be greater than or equal to 10 seconds');
  const inSecrets = spec.child('serviceAccountTokenInSecrets');
  if (inSecrets.isSet() && spec.child('tokenRequests').length() === 0)
    inSecrets.invalid('serviceAccountTokenInSecrets is set but no tokenRequests are specified');
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
