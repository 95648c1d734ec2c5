import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { ipProblems, isIpv6Text } from '../../../kubernetes/ip-rules.js';

/** Reports whether a service is headless. */
export function isHeadless(spec: FieldPath): boolean {
  return spec.child('clusterIPs').length() === 1 && spec.child('clusterIPs').texts()[0] === 'None';
}

/** Validates addresses and families; also runs before allocation. Source: ValidateServiceClusterIPsRelatedFields. */
export function checkClusterIps(spec: FieldPath): void {
  if (spec.text('type') === 'ExternalName') return;
  const ips = spec.child('clusterIPs');
  const texts = ips.texts();
  if (spec.text('clusterIP') === '') {
    if (texts.length > 0) ips.invalid('must be empty when `clusterIP` is not specified');
  } else if (texts.length === 0) ips.required();
  else if (texts[0] !== spec.text('clusterIP')) ips.invalid('first value must match `clusterIP`');
  checkFamilies(spec);
  if (!areAddresses(ips)) return;
  if (texts.length > 1 && isIpv6Text(texts[0] ?? '') === isIpv6Text(texts[1] ?? ''))
    ips.invalid('may specify no more than one IP for each IP family');
  const families = spec.child('ipFamilies').texts();
  if (isHeadless(spec)) return;
  for (const [index, ip] of ips.items().entries()) {
    const family = families[index];
    if (family === undefined) return;
    if ((family === 'IPv4' && isIpv6Text(ip.text())) || (family === 'IPv6' && !isIpv6Text(ip.text())))
      ip.invalid(`expected an ${family} value as indicated by \`ipFamilies[${index}]\``);
  }
}

function checkFamilies(spec: FieldPath): void {
  const seen = new Set<string>();
  for (const family of spec.child('ipFamilies').items()) {
    if (!['IPv4', 'IPv6'].includes(family.text())) family.notSupported(['IPv4', 'IPv6']);
    if (seen.has(family.text())) family.duplicate();
    seen.add(family.text());
  }
  const policy = spec.child('ipFamilyPolicy');
  const known = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (policy.isSet() && !known.includes(policy.text())) policy.notSupported(known);
}

function areAddresses(ips: FieldPath): boolean {
  const before = ips.errors.length;
  for (const [index, ip] of ips.items().entries()) {
    if (index === 0 && ip.text() === 'None') {
      if (ips.length() > 1) ips.invalid("'None' must be the first and only value");
    } else checkName(ip, text => ipProblems(ips.server, text));
  }
  const areFine = ips.errors.length === before;
  if (ips.length() > 2) ips.invalid('may only hold up to 2 values');
  return areFine;
}
