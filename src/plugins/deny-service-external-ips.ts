import type { AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { listAt } from '../go/value.js';
import { mainObject } from './objects/main-object.js';

/**
 * DenyServiceExternalIPs: refuses new external addresses of services. Source: kubernetes
 * plugin/pkg/admission/network/denyserviceexternalips.
 */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  operations: ['CREATE', 'UPDATE'],
  validate: attributes => {
    const before = new Set(listAt(attributes.oldObject?.value, 'spec', 'externalIPs'));
    const addresses = listAt(mainObject(attributes, 'services.'), 'spec', 'externalIPs');
    if (addresses.some(address => !before.has(address)))
      throw admissionRefusal(attributes, 'Use of external IPs is denied by admission control');
  },
};
