import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addRequired, at, itemsAt, lengthOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems } from '../../../kubernetes/ip-rules.js';

/** Source: networking/validation ValidateServiceCIDR, for new ones. */
export const serviceCidrRules: KindRules = {
  create: place => {
    const cidrs = at(place, 'spec', 'cidrs');
    if (lengthOf(cidrs) === 0) addRequired(cidrs, 'at least one CIDR required');
    for (const cidr of itemsAt(place, 'spec', 'cidrs')) checkName(cidr, text => cidrProblems(text, true));
  },
  update: ['changes'],
};
