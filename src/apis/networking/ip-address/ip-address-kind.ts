import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkDeclaredImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addRequired, at, isSet, textOf } from '../../../apiserver/registry/validation/place.js';
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
    (now, old) => checkDeclaredImmutable(at(now, 'spec'), at(old, 'spec'), { type: 'networking/v1.IPAddressSpec', name: 'parentRef' }),
  ],
};

function checkParent(address: Place, old?: Place): void {
  const parent = at(address, 'spec', 'parentRef');
  if (!isSet(parent)) {
    declared(parent, old && at(old, 'spec', 'parentRef'), () => addRequired(parent));
    return;
  }
  if (textOf(at(parent, 'group')) !== '') checkName(at(parent, 'group'), dns1123SubdomainProblems);
  for (const name of ['resource', 'name', 'namespace']) {
    const member = at(parent, name);
    if (textOf(member) !== '') checkName(member, pathSegmentProblems);
    // A changed parent fails for that alone.
    else if (name !== 'namespace') declared(parent, old && parent, () => addRequired(member));
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
