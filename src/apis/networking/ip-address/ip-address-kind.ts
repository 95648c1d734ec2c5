import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { canonicalIpProblems } from '../../../kubernetes/ip-rules.js';
import { ipAddress } from './ip-address-strategy.js';
import { ipAddressRules } from './ip-address-validation.js';

/** IPAddress. */
export const ipAddressKind: KindDefinition = {
  refine: ipAddress,
  validation: ipAddressRules,
  nameProblems: (name, _object, server) => canonicalIpProblems(server, name),
};
