import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { isHeadless } from './service-cluster-ips.js';

/** Validates that allocated values do not change. Source: core/validation ValidateServiceUpdate. */
export function keepAllocated(service: FieldPath, old: FieldPath): void {
  const [spec, before] = [service.child('spec'), old.child('spec')];
  if (![spec, before].some(field => field.text('type') === 'ExternalName')) {
    const headless = [isHeadless(spec), isHeadless(before)];
    if (headless.includes(false)) checkAddresses(spec, before);
    if (!headless.includes(true)) checkFamilies(spec, before);
  }
  const balancer = spec.child('loadBalancerClass');
  const isBalanced = [spec, before].every(field => field.text('type') === 'LoadBalancer');
  if (isBalanced && balancer.text() !== before.text('loadBalancerClass'))
    balancer.invalid(balancer.isSet() ? balancer.text() : null, 'may not change once set');
  checkBalancerClass(spec);
  const port = spec.child('healthCheckNodePort');
  if (needsHealthCheck(spec) && needsHealthCheck(before) && before.number('healthCheckNodePort') !== spec.number('healthCheckNodePort'))
    port.forbidden('field is immutable');
}

/** Validates the load balancer class of a service. Source: core/validation validateLoadBalancerClassField. */
export function checkBalancerClass(spec: FieldPath): void {
  const balancer = spec.child('loadBalancerClass');
  if (!balancer.isSet()) return;
  if (spec.text('type') !== 'LoadBalancer') balancer.forbidden("may only be used when `type` is 'LoadBalancer'");
  else checkName(balancer, text => labelKeyProblems(spec.server, text));
}

/** Reports whether the service has a health check for local endpoints. */
export function needsHealthCheck(spec: FieldPath): boolean {
  return spec.text('type') === 'LoadBalancer' && spec.text('externalTrafficPolicy') === 'Local';
}

/** Source: validateUpgradeDowngradeClusterIPs. */
function checkAddresses(spec: FieldPath, before: FieldPath): void {
  const addresses = spec.child('clusterIPs');
  const [now, then] = [addresses.texts(), before.child('clusterIPs').texts()];
  const changed = (index: number): void => addresses.shownAt(`${addresses.path}[${index}]`).invalid('may not change once set');
  if (now.length === then.length) {
    for (const [index, address] of then.entries()) if (address !== now[index]) changed(index);
    return;
  }
  if (now.length === 0) addresses.shownAt(`${addresses.path}[0]`).invalid('primary clusterIP can not be unset');
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) changed(0);
  if (then.length > now.length && now.length === 1) checkRelease(spec, 'clusterIP');
}

/** Source: validateUpgradeDowngradeIPFamilies. */
function checkFamilies(spec: FieldPath, before: FieldPath): void {
  const families = spec.child('ipFamilies');
  const [now, then] = [families.texts(), before.child('ipFamilies').texts()];
  const first = families.shownAt(`${families.path}[0]`);
  if (now.length === then.length) {
    for (const [index, family] of then.entries()) if (family !== now[index]) first.invalid('may not change once set');
    return;
  }
  const addresses = spec.child('clusterIPs');
  if (then.length > now.length && addresses.texts().length === 0) first.invalid('primary ipFamily can not be unset');
  // The error shows the addresses instead of the families.
  if (now.length > 0 && then.length > 0 && now[0] !== then[0]) addresses.shownAt(first.path).invalid('may not change once set');
  if (then.length > now.length && now.length === 1) checkRelease(spec, 'ipFamily');
}

function checkRelease(spec: FieldPath, what: string): void {
  const policy = spec.child('ipFamilyPolicy');
  if (policy.text() !== 'SingleStack') policy.invalid(`must be set to 'SingleStack' when releasing the secondary ${what}`);
}
