import { constants, type DefaultRules, setDefault, sizeOfValue } from '../../apiserver/objects/default-rules.js';
import { ensureMap, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Source: kubernetes pkg/apis/storage defaults.go. */
export const storageDefaults: DefaultRules = {
  'storage/v1.StorageClass': constants({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'storage/v1beta1.StorageClass': constants({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'storage/v1.CSIDriver': (value, _now, server) => csiDriver(server, value),
  'storage/v1beta1.CSIDriver': (value, _now, server) => csiDriver(server, value),
};

function csiDriver(server: ApiServer, driver: ValueMap): void {
  const spec = ensureMap(driver, 'spec');
  setDefault(spec, 'attachRequired', true);
  setDefault(spec, 'podInfoOnMount', false);
  setDefault(spec, 'storageCapacity', false);
  setDefault(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
  if (sizeOfValue(spec, 'volumeLifecycleModes') === 0) spec.set('volumeLifecycleModes', ['Persistent']);
  setDefault(spec, 'requiresRepublish', false);
  if (server.isEnabled('SELinuxMountReadWriteOncePod')) setDefault(spec, 'seLinuxMount', false);
  if (server.isEnabled('VolumeLimitScaling')) setDefault(spec, 'preventPodSchedulingIfMissing', false);
}
