import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems, isIpv6Text, parseCidrSloppy } from '../../../kubernetes/ip-rules.js';

/** Source: networking/validation ValidateServiceCIDR. */
const serviceCidrRules: KindRules = {
  create: field => checkCidrs(field.child('spec')),
  update: ['changes', checkChange],
};

function checkCidrs(spec: FieldPath): void {
  const cidrs = spec.child('cidrs');
  if (cidrs.length() === 0) cidrs.required('at least one CIDR required');
  if (cidrs.length() > 2) {
    cidrs.invalid(internalValue(spec.server, 'networking/v1.ServiceCIDRSpec', spec.value), 'may only hold up to 2 values');
    return;
  }
  for (const cidr of cidrs.items()) checkName(cidr, text => cidrProblems(spec.server, text, true));
  const [first, second] = cidrs.texts();
  if (first === undefined || second === undefined || [first, second].some(text => parseCidrSloppy(text) === undefined)) return;
  if (isIpv6Text(first) === isIpv6Text(second))
    cidrs.invalid('may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
}

/** A second family may be added. Source: networking/validation ValidateServiceCIDRUpdate. */
function checkChange(field: FieldPath, old: FieldPath): void {
  const cidrs = field.child('spec', 'cidrs');
  const [now, before] = [cidrs.texts(), old.child('spec', 'cidrs').texts()];
  const addsFamily = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !addsFamily) {
    cidrs.invalidList('field is immutable');
    return;
  }
  for (const [i, cidr] of cidrs.items().entries())
    if (before[i] !== undefined && before[i] !== cidr.text()) cidr.invalid('field is immutable');
  if (addsFamily) checkCidrs(field.child('spec'));
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
