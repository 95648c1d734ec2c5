import type { GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Storage } from '../../kubernetes/storage.js';
import { claimEvaluator } from './claim-evaluator.js';
import { podEvaluator } from './pod-evaluator.js';
import type { QuotaEvaluator } from './quota-evaluator.js';
import { resourceClaimEvaluator } from './resource-claim-evaluator.js';
import { serviceEvaluator } from './service-evaluator.js';

/** Returns the evaluator of a resource; without a specific one objects are counted on create. */
export function evaluatorOf(resource: GroupVersionResource, storage: Storage): QuotaEvaluator {
  if (resource.group === 'resource.k8s.io' && resource.resource === 'resourceclaims') return resourceClaimEvaluator(storage);
  return own.get(`${resource.resource}.${resource.group}`) ?? countingEvaluator(resource);
}

/** Resources that are not counted. Source: kubernetes pkg/quota/v1/install/registry.go. */
export const ignoredResources: ReadonlySet<string> = new Set([
  'bindings.',
  'componentstatuses.',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'events.',
  'events.events.k8s.io',
]);

const own: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods.', podEvaluator],
  ['services.', serviceEvaluator],
  ['persistentvolumeclaims.', claimEvaluator],
]);

/** Resources that had their own names before `count/` existed. */
const aliases = new Set(['configmaps.', 'resourcequotas.', 'replicationcontrollers.', 'secrets.']);

function countingEvaluator({ group, resource }: GroupVersionResource): QuotaEvaluator {
  const names = [`count/${resource}${group === '' ? '' : `.${group}`}`];
  if (aliases.has(`${resource}.${group}`)) names.push(resource);
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    counts: name => names.includes(name),
    isInScope: () => false,
    missing: () => '',
    usage: () => new Map(names.map(name => [name, '1'])),
  };
}
