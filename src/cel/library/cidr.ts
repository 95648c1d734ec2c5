import { addressText, isMapped, type Prefix, parsePrefix } from '../../go/netip/address.js';
import { containsAddress, maskedPrefix, overlaps } from '../../go/netip/address-class.js';
import { NetipError } from '../../go/netip/error.js';
import { quote } from '../../go/quote.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { BOOL, INT, opaqueType, STRING } from '../values/type.js';
import { type CelError, type CelValue, celError, type ExtensionValue, noSuchOverload } from '../values/value.js';
import { addressValue, celAddressOf, IP, toAddress } from './ip.js';

/** Type of networks. */
export const CIDR = opaqueType('net.CIDR');
const networks = extensionKind<Prefix>(CIDR);

/** IP networks. Source: apiserver pkg/cel/library/cidr.go. */
export const cidrFunctions: readonly FunctionDeclaration[] = [
  fn('cidr', overload('string_to_cidr', [STRING], CIDR, unary(toNetwork))),
  fn(
    'containsIP',
    memberDeclaration(
      'cidr_contains_ip_string',
      [CIDR, STRING],
      BOOL,
      binary((cidr, text) => containsIP(cidr, toAddress(text))),
    ),
    memberDeclaration('cidr_contains_ip_ip', [CIDR, IP], BOOL, binary(containsIP)),
  ),
  fn(
    'containsCIDR',
    memberDeclaration(
      'cidr_contains_cidr_string',
      [CIDR, STRING],
      BOOL,
      binary((cidr, text) => containsCIDR(cidr, toNetwork(text))),
    ),
    memberDeclaration('cidr_contains_cidr', [CIDR, CIDR], BOOL, binary(containsCIDR)),
  ),
  fn(
    'ip',
    memberDeclaration(
      'cidr_ip',
      [CIDR],
      IP,
      unary(cidr => withNetwork(cidr, ({ address }) => addressValue(address))),
    ),
  ),
  fn(
    'prefixLength',
    memberDeclaration(
      'cidr_prefix_length',
      [CIDR],
      INT,
      unary(cidr => withNetwork(cidr, ({ bits }) => BigInt(bits))),
    ),
  ),
  fn(
    'masked',
    memberDeclaration(
      'cidr_masked',
      [CIDR],
      CIDR,
      unary(cidr => withNetwork(cidr, network => networkValue(maskedPrefix(network)))),
    ),
  ),
  fn('isCIDR', overload('is_cidr', [STRING], BOOL, unary(isNetwork))),
  fn(
    'string',
    overload(
      'cidr_to_string',
      [CIDR],
      STRING,
      unary(cidr => withNetwork(cidr, networkText)),
    ),
  ),
];

/** Added by v1.38. Source: the same file, version 1 of the library. */
export const isMaskFunction: FunctionDeclaration = fn(
  'isMask',
  memberDeclaration(
    'cidr_is_mask',
    [CIDR],
    BOOL,
    unary(cidr => withNetwork(cidr, network => networkText(network) === networkText(maskedPrefix(network)))),
  ),
);

function networkText({ address, bits }: Prefix): string {
  return `${addressText(address)}/${bits}`;
}

function networkValue(network: Prefix): ExtensionValue {
  const text = networkText(network);
  return networks.make({
    content: network,
    equals: other => text === networkText(other),
    size: Math.ceil(network.bits / 8),
    goText: text,
    goType: 'cel.CIDR',
    hashedAs: 'text',
    inner: { goType: 'netip.Prefix', goText: text },
    text,
  });
}

function parsedPrefix(text: string): Prefix | CelError {
  try {
    const network = parsePrefix(text);
    return isMapped(network.address) ? celError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`) : network;
  } catch (error) {
    if (error instanceof NetipError) return celError(`network address parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

/** The error is described twice, by the parser and by the calling function. */
function toNetwork(value: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  const network = parsedPrefix(text);
  if ('kind' in network) return celError(`network address parse error during conversion from string: ${network.message}`);
  return networkValue(network);
}

function withNetwork(value: CelValue, use: (network: Prefix) => CelValue): CelValue {
  const network = networks.contentOf(value);
  return network === undefined ? noSuchOverload(value) : use(network);
}

/** A value that is not an address, even an error, gives the error of a missing overload. */
function containsIP(cidr: CelValue, ip: CelValue): CelValue {
  const network = networks.contentOf(cidr);
  if (network === undefined) return noSuchOverload(ip);
  const address = celAddressOf(ip);
  return address === undefined ? noSuchOverload(cidr) : containsAddress(network, address);
}

function containsCIDR(cidr: CelValue, other: CelValue): CelValue {
  const network = networks.contentOf(cidr);
  if (network === undefined) return noSuchOverload(cidr);
  const inner = networks.contentOf(other);
  return inner === undefined ? noSuchOverload(other) : overlaps(network, inner) && network.bits <= inner.bits;
}

function isNetwork(value: CelValue): CelValue {
  const text = textInside(value);
  return text === undefined ? noSuchOverload(value) : !('kind' in parsedPrefix(text));
}
