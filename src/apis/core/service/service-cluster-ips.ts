import {
  addDuplicate,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  indexed,
  isSet,
  lengthOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { ipProblems, isIpv6Text } from '../../../kubernetes/ip-rules.js';

/** Reports whether a service is headless. */
export function isHeadless(spec: Place): boolean {
  return lengthOf(at(spec, 'clusterIPs')) === 1 && textsOf(at(spec, 'clusterIPs'))[0] === 'None';
}

/** Validates addresses and families; also runs before allocation. Source: ValidateServiceClusterIPsRelatedFields. */
export function checkClusterIps(spec: Place): void {
  if (textAt(spec, 'type') === 'ExternalName') return;
  const ips = at(spec, 'clusterIPs');
  const texts = textsOf(ips);
  if (textAt(spec, 'clusterIP') === '') {
    if (texts.length > 0) addInvalid(ips, 'must be empty when `clusterIP` is not specified');
  } else if (texts.length === 0) addRequired(ips);
  else if (texts[0] !== textAt(spec, 'clusterIP')) addInvalid(ips, 'first value must match `clusterIP`');
  checkFamilies(spec);
  if (!areAddresses(ips)) return;
  if (texts.length > 1 && isIpv6Text(texts[0] ?? '') === isIpv6Text(texts[1] ?? ''))
    addInvalid(ips, 'may specify no more than one IP for each IP family');
  const families = textsOf(at(spec, 'ipFamilies'));
  if (isHeadless(spec)) return;
  for (const [index, ip] of indexed(ips).entries()) {
    const family = families[index];
    if (family === undefined) return;
    if ((family === 'IPv4' && isIpv6Text(textOf(ip))) || (family === 'IPv6' && !isIpv6Text(textOf(ip))))
      addInvalid(ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``);
  }
}

function checkFamilies(spec: Place): void {
  const seen = new Set<string>();
  for (const family of indexed(at(spec, 'ipFamilies'))) {
    if (!['IPv4', 'IPv6'].includes(textOf(family))) addUnsupported(family, ['IPv4', 'IPv6']);
    if (seen.has(textOf(family))) addDuplicate(family);
    seen.add(textOf(family));
  }
  const policy = at(spec, 'ipFamilyPolicy');
  const known = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (isSet(policy) && !known.includes(textOf(policy))) addUnsupported(policy, known);
}

function areAddresses(ips: Place): boolean {
  const before = ips.errors.length;
  for (const [index, ip] of indexed(ips).entries()) {
    if (index === 0 && textOf(ip) === 'None') {
      if (lengthOf(ips) > 1) addInvalid(ips, "'None' must be the first and only value");
    } else checkName(ip, text => ipProblems(ips.server, text));
  }
  const areFine = ips.errors.length === before;
  if (lengthOf(ips) > 2) addInvalid(ips, 'may only hold up to 2 values');
  return areFine;
}
