import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkDeclaredImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addRequired, at, isSet, type Place, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

/** Source: networking/validation ValidateIPAddress. */
export const ipAddressRules: KindRules = {
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
