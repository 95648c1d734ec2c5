import { addInvalid, type Place, textOf } from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems, ipNumber, isIpv6Text, sloppyIp } from '../../../kubernetes/ip-rules.js';

/** Addresses no service can be behind. Source: ValidateEndpointIP. */
export function checkEndpointIp(place: Place): void {
  const text = textOf(place);
  const address = sloppyIp(text);
  const number = address === undefined ? undefined : ipNumber(address);
  if (address === undefined || number === undefined) {
    addInvalid(place, 'must be a valid IP address');
    return;
  }
  const isIn = (bits: bigint, value: bigint): boolean => number >> ((isIpv6Text(address) ? 128n : 32n) - bits) === value;
  const six = isIpv6Text(address);
  if (number === 0n) addInvalid(place, `may not be unspecified (${text})`);
  if (six ? number === 1n : isIn(8n, 127n)) addInvalid(place, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (six ? isIn(10n, 0x3fan) : isIn(16n, 0xa9fen)) addInvalid(place, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (six ? isIn(16n, 0xff02n) : isIn(24n, 0xe00000n))
    addInvalid(place, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

/** The address of a network. */
export function checkCidr(place: Place): void {
  checkName(place, cidrProblems);
}
