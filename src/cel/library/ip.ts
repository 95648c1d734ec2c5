import { addressText, type Ipv6Address, isMapped, parseAddress } from '../../go/netip/address.js';
import { isGlobalUnicast, isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from '../../go/netip/address-class.js';
import { NetipError } from '../../go/netip/error.js';
import { quote } from '../../go/quote.js';
import { type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { BOOL, INT, opaqueType, STRING } from '../values/type.js';
import { type CelError, type CelValue, celError, type ExtensionValue, noSuchOverload } from '../values/value.js';

/** Type of addresses. */
export const IP = opaqueType('net.IP');
const addresses = extensionKind<Ipv6Address>(IP);

/** IP addresses. Source: apiserver pkg/cel/library/ip.go. */
export const ipFunctions: readonly FunctionDeclaration[] = [
  fn('ip', overload('string_to_ip', [STRING], IP, unary(toAddress))),
  fn(
    'family',
    memberDeclaration(
      'ip_family',
      [IP],
      INT,
      unary(ip => withAddress(ip, ({ bytes }) => (bytes.length === 4 ? 4n : 6n))),
    ),
  ),
  fn('ip.isCanonical', overload('ip_is_canonical', [STRING], BOOL, unary(isCanonical))),
  test('isUnspecified', 'ip_is_unspecified', isUnspecified),
  test('isLoopback', 'ip_is_loopback', isLoopback),
  test('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  test('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  fn('isIP', overload('is_ip', [STRING], BOOL, unary(isAddress))),
  fn(
    'string',
    overload(
      'ip_to_string',
      [IP],
      STRING,
      unary(ip => withAddress(ip, addressText)),
    ),
  ),
];

/** An address as a value. */
export function addressValue(address: Ipv6Address): ExtensionValue {
  const text = addressText(address);
  return addresses.make({
    content: address,
    equals: other => text === addressText(other),
    size: address.bytes.length,
    goText: text,
    goType: 'cel.IP',
    hashedAs: 'text',
    inner: { goType: 'netip.Addr', goText: text },
    text,
  });
}

/** The address of a value. */
export function celAddressOf(value: CelValue): Ipv6Address | undefined {
  return addresses.contentOf(value);
}

/** `ip(text)`: rejects zones and IPv4-mapped IPv6 addresses. */
export function toAddress(value: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  const address = parsedAddress(text);
  return 'kind' in address ? address : addressValue(address);
}

function parsedAddress(text: string): Ipv6Address | CelError {
  try {
    const address = parseAddress(text);
    if (address.zone !== '') return celError(`IP address ${quote(text)} with zone value is not allowed`);
    return isMapped(address) ? celError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`) : address;
  } catch (error) {
    if (!(error instanceof NetipError)) throw error;
    return celError(`IP Address ${quote(text)} parse error during conversion from string: ${error.message}`);
  }
}

function withAddress(value: CelValue, use: (address: Ipv6Address) => CelValue): CelValue {
  const address = celAddressOf(value);
  return address === undefined ? noSuchOverload(value) : use(address);
}

function test(name: string, id: string, holds: (address: Ipv6Address) => boolean): FunctionDeclaration {
  return fn(
    name,
    memberDeclaration(
      id,
      [IP],
      BOOL,
      unary(ip => withAddress(ip, holds)),
    ),
  );
}

function isCanonical(value: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  const address = parsedAddress(text);
  return 'kind' in address ? address : addressText(address) === text;
}

function isAddress(value: CelValue): CelValue {
  const text = textInside(value);
  return text === undefined ? noSuchOverload(value) : !('kind' in parsedAddress(text));
}
