import {
  addForbidden,
  addInvalid,
  at,
  isSet,
  numberAt,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { isHeadless } from './service-cluster-ips.js';

/** Validates that allocated values do not change. Source: core/validation ValidateServiceUpdate. */
export function keepAllocated(service: Place, old: Place): void {
  const [spec, before] = [at(service, 'spec'), at(old, 'spec')];
  if (![spec, before].some(place => textAt(place, 'type') === 'ExternalName')) {
    const headless = [isHeadless(spec), isHeadless(before)];
    if (headless.includes(false)) checkAddresses(spec, before);
    if (!headless.includes(true)) checkFamilies(spec, before);
  }
  const balancer = at(spec, 'loadBalancerClass');
  const isBalanced = [spec, before].every(place => textAt(place, 'type') === 'LoadBalancer');
  if (isBalanced && textOf(balancer) !== textAt(before, 'loadBalancerClass'))
    addInvalid(balancer, 'may not change once set', isSet(balancer) ? textOf(balancer) : null);
  checkBalancerClass(spec);
  const port = at(spec, 'healthCheckNodePort');
  if (
    needsHealthCheck(spec) &&
    needsHealthCheck(before) &&
    numberAt(before, 'healthCheckNodePort') !== numberAt(spec, 'healthCheckNodePort')
  )
    addForbidden(port, 'field is immutable');
}

/** Validates the load balancer class of a service. Source: core/validation validateLoadBalancerClassField. */
export function checkBalancerClass(spec: Place): void {
  const balancer = at(spec, 'loadBalancerClass');
  if (!isSet(balancer)) return;
  if (textAt(spec, 'type') !== 'LoadBalancer') addForbidden(balancer, "may only be used when `type` is 'LoadBalancer'");
  else checkName(balancer, text => labelKeyProblems(spec.server, text));
}

/** Reports whether the service has a health check for local endpoints. */
export function needsHealthCheck(spec: Place): boolean {
  return textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'externalTrafficPolicy') === 'Local';
}

/** Source: validateUpgradeDowngradeClusterIPs. */
function checkAddresses(spec: Place, before: Place): void {
  const addresses = at(spec, 'clusterIPs');
  const [now, then] = [textsOf(addresses), textsOf(at(before, 'clusterIPs'))];
  const changed = (index: number): void => addInvalid({ ...addresses, path: `${addresses.path}[${index}]` }, 'may not change once set');
  if (now.length === then.length) {
    for (const [index, address] of then.entries()) if (address !== now[index]) changed(index);
    return;
  }
  if (now.length === 0) addInvalid({ ...addresses, path: `${addresses.path}[0]` }, 'primary clusterIP can not be unset');
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) changed(0);
  if (then.length > now.length && now.length === 1) checkRelease(spec, 'clusterIP');
}

/** Source: validateUpgradeDowngradeIPFamilies. */
function checkFamilies(spec: Place, before: Place): void {
  const families = at(spec, 'ipFamilies');
  const [now, then] = [textsOf(families), textsOf(at(before, 'ipFamilies'))];
  const first = { ...families, path: `${families.path}[0]` };
  if (now.length === then.length) {
    for (const [index, family] of then.entries()) if (family !== now[index]) addInvalid(first, 'may not change once set');
    return;
  }
  const addresses = at(spec, 'clusterIPs');
  if (then.length > now.length && textsOf(addresses).length === 0) addInvalid(first, 'primary ipFamily can not be unset');
  // The error shows the addresses instead of the families.
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) addInvalid({ ...addresses, path: first.path }, 'may not change once set');
  if (then.length > now.length && now.length === 1) checkRelease(spec, 'ipFamily');
}

function checkRelease(spec: Place, what: string): void {
  const policy = at(spec, 'ipFamilyPolicy');
  if (textOf(policy) !== 'SingleStack') addInvalid(policy, `must be set to 'SingleStack' when releasing the secondary ${what}`);
}
