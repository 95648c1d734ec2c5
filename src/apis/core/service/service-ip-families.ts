import { badValueOf } from '../../../apiserver/registry/validation/field-path.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';

/**
 * Sets a service's IP families, of which this cluster has only IPv4, as an API server without further flags does. Changes the specification
 * in place and returns the errors. Source: core/service/storage/alloc.go initIPFamilyFields.
 */
export function chooseFamilies(spec: ValueMap, before: ValueMap | undefined): FieldError[] {
  if (before !== undefined && keepsPreference(spec, before)) return [];
  const selectorless = stringAt(spec, 'clusterIP') === 'None' && (mapAt(spec, 'selector')?.size ?? 0) === 0;
  if (stringAt(spec, 'ipFamilyPolicy') === '') {
    const kept = stringAt(before, 'ipFamilyPolicy');
    spec.set('ipFamilyPolicy', kept || (selectorless ? 'RequireDualStack' : 'SingleStack'));
  }
  const errors = before === undefined ? [] : reducedErrors(spec, before);
  errors.push(...singleStackErrors(spec), ...inferFamilies(spec));
  if (errors.length > 0) return errors;
  if (selectorless) {
    nameBothFamilies(spec);
    return [];
  }
  errors.push(...unconfiguredErrors(spec));
  if (errors.length === 0 && listAt(spec, 'ipFamilies').length === 0) spec.set('ipFamilies', ['IPv4']);
  return errors;
}

const isIpv6 = (address: string): boolean => address.includes(':');

/** Reports whether an unchanged service with PreferDualStack is kept as it is. */
function keepsPreference(spec: ValueMap, before: ValueMap): boolean {
  const isPreferred = (from: ValueMap): boolean => stringAt(from, 'ipFamilyPolicy') === 'PreferDualStack';
  const isUnchanged = ['type', 'clusterIP', 'clusterIPs', 'ipFamilies'].every(key => textsOf(spec, key) === textsOf(before, key));
  return isPreferred(spec) && (isPreferred(before) || stringAt(before, 'ipFamilyPolicy') === '') && isUnchanged;
}

/** Returns a string, or the strings of a list, for comparison. */
function textsOf(spec: ValueMap, key: string): string {
  return JSON.stringify(spec.get(key) ?? '');
}

function reducedErrors(spec: ValueMap, before: ValueMap): FieldError[] {
  const lists = ['clusterIPs', 'ipFamilies'] as const;
  if (stringAt(spec, 'ipFamilyPolicy') === 'SingleStack') {
    for (const key of lists)
      if (textsOf(spec, key) === textsOf(before, key) && listAt(spec, key).length > 1) spec.set(key, listAt(spec, key).slice(0, 1));
    return [];
  }
  const isReduced = (key: string): boolean => listAt(spec, key).length > 0 && listAt(spec, key).length < listAt(before, key).length;
  const what = { clusterIPs: 'cluster IP', ipFamilies: 'IP family' };
  return lists.filter(isReduced).map(key => policyError(spec, `must be 'SingleStack' to release the secondary ${what[key]}`));
}

function singleStackErrors(spec: ValueMap): FieldError[] {
  if (stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack') return [];
  const messageOn = (what: string): string => `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  return [
    ...(listAt(spec, 'clusterIPs').length === 2 ? [policyError(spec, messageOn('cluster IPs'))] : []),
    ...(listAt(spec, 'ipFamilies').length === 2 ? [policyError(spec, messageOn('IP families'))] : []),
  ];
}

function policyError(spec: ValueMap, message: string): FieldError {
  return invalidValue('spec.ipFamilyPolicy', stringAt(spec, 'ipFamilyPolicy'), message);
}

/** Sets missing families from the addresses. */
function inferFamilies(spec: ValueMap): FieldError[] {
  const addresses = listAt(spec, 'clusterIPs');
  if (addresses[0] === 'None') return [];
  const errors: FieldError[] = [];
  const families = [...listAt(spec, 'ipFamilies')];
  for (const [index, address] of addresses.entries()) {
    if (index < families.length) continue;
    if (isIpv6(String(address)))
      errors.push(invalidValue(`spec.clusterIPs[${index}]`, badValueOf(addresses), 'IPv6 is not configured on this cluster'));
    else families.push('IPv4');
  }
  if (families.length > 0) spec.set('ipFamilies', families);
  return errors;
}

/** Sets both families for a headless service without a selector, which may have families that the cluster lacks. */
function nameBothFamilies(spec: ValueMap): void {
  const families = listAt(spec, 'ipFamilies');
  const first = families[0] ?? 'IPv4';
  const isBoth = families.length < 2 && stringAt(spec, 'ipFamilyPolicy') !== 'SingleStack';
  if (isBoth) spec.set('ipFamilies', [first, first === 'IPv4' ? 'IPv6' : 'IPv4']);
  else if (families.length === 0) spec.set('ipFamilies', [first]);
}

function unconfiguredErrors(spec: ValueMap): FieldError[] {
  const errors: FieldError[] = [];
  if (stringAt(spec, 'ipFamilyPolicy') === 'RequireDualStack')
    errors.push(policyError(spec, 'this cluster is not configured for dual-stack services'));
  for (const [index, family] of listAt(spec, 'ipFamilies').entries())
    if (family !== 'IPv4') errors.push(invalidValue(`spec.ipFamilies[${index}]`, String(family), 'not configured on this cluster'));
  return errors;
}
