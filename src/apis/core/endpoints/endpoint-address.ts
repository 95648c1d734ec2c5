import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from '../../../go/netip/address-class.js';
import { cidrProblems, parseIpSloppy } from '../../../kubernetes/ip-rules.js';

/** Validates an address, which must be usable as an endpoint. Source: ValidateEndpointIP. */
export function checkEndpointIp(field: FieldPath): void {
  const text = field.text();
  const address = parseIpSloppy(text);
  if (address === undefined) {
    field.invalid('must be a valid IP address');
    return;
  }
  if (isUnspecified(address)) field.invalid(`may not be unspecified (${text})`);
  if (isLoopback(address)) field.invalid('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isLinkLocalUnicast(address)) field.invalid('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isLinkLocalMulticast(address)) field.invalid('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

/** Validates a network address. */
export function checkCidr(field: FieldPath): void {
  checkName(field, text => cidrProblems(field.server, text));
}
