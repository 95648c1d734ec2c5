import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { addInvalid, addRequired, at, indexed, lengthOf, textOf, textsOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems, isIpv6Text, parseCidrSloppy } from '../../../kubernetes/ip-rules.js';

/** Source: networking/validation ValidateServiceCIDR. */
const serviceCidrRules: KindRules = {
  create: place => checkCidrs(at(place, 'spec')),
  update: ['changes', checkChange],
};

function checkCidrs(spec: Place): void {
  const cidrs = at(spec, 'cidrs');
  if (lengthOf(cidrs) === 0) addRequired(cidrs, 'at least one CIDR required');
  if (lengthOf(cidrs) > 2) {
    addInvalid(cidrs, 'may only hold up to 2 values', internalValue(spec.server, 'networking/v1.ServiceCIDRSpec', spec.value));
    return;
  }
  for (const cidr of indexed(cidrs)) checkName(cidr, text => cidrProblems(spec.server, text, true));
  const [first, second] = textsOf(cidrs);
  if (first === undefined || second === undefined || [first, second].some(text => parseCidrSloppy(text) === undefined)) return;
  if (isIpv6Text(first) === isIpv6Text(second))
    addInvalid(cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
}

/** A second family may be added. Source: networking/validation ValidateServiceCIDRUpdate. */
function checkChange(place: Place, old: Place): void {
  const cidrs = at(place, 'spec', 'cidrs');
  const [now, before] = [textsOf(cidrs), textsOf(at(old, 'spec', 'cidrs'))];
  const addsFamily = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !addsFamily) {
    addInvalid(cidrs, 'field is immutable');
    return;
  }
  for (const [i, cidr] of indexed(cidrs).entries())
    if (before[i] !== undefined && before[i] !== textOf(cidr)) addInvalid(cidr, 'field is immutable');
  if (addsFamily) checkCidrs(at(place, 'spec'));
}

/** ServiceCIDR. */
export const serviceCidrKind: KindDefinition = {
  validation: serviceCidrRules,
  subresources: { status: { update: ['changes'] } },
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: {
    // The rules named a group that does not exist.
    '': server => (server.until('v1.35') ? [] : undefined),
    status: server => (server.until('v1.35') ? [] : ['spec', 'metadata']),
  },
};
