import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { canonicalIpProblems } from '../../../kubernetes/ip-rules.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

/** Source: networking/validation ValidateIPAddress. */
const ipAddressRules: KindRules = {
  create: checkParent,
  update: [
    'metadata',
    checkParent,
    'changes',
    (now, old) => checkImmutable(now.child('spec'), old.child('spec'), { type: 'networking/v1.IPAddressSpec', name: 'parentRef' }),
  ],
};

function checkParent(address: FieldPath): void {
  const parent = address.child('spec', 'parentRef');
  if (!parent.isSet()) {
    parent.required();
    return;
  }
  if (parent.child('group').text() !== '') checkName(parent.child('group'), dns1123SubdomainProblems);
  for (const name of ['resource', 'name', 'namespace']) {
    const member = parent.child(name);
    if (member.text() !== '') checkName(member, pathSegmentProblems);
    else if (name !== 'namespace') member.required();
  }
}

/**
 * Strategy of IP addresses, whose name is the address. Source: kubernetes pkg/registry/networking/ipaddress/strategy.go noopNameGenerator.
 */
const ipAddress: Refinement = base => ({ ...base, keepsGeneratedName: true });

/** IPAddress. */
export const ipAddressKind: KindDefinition = {
  refine: ipAddress,
  validation: ipAddressRules,
  nameProblems: (name, _object, server) => canonicalIpProblems(server, name),
};
