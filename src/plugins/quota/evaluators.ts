import { stringAt, type ValueMap } from '../../go/value.js';
import type { GroupVersionResource } from '../../kubernetes/group-version.js';
import { compareQuantities, type QuantityLike, roundedUpQuantity } from '../../kubernetes/quantity.js';
import type { Storage } from '../../kubernetes/storage.js';
import { storageClassOf } from '../objects/storage-classes.js';
import { podEvaluator } from './pod-evaluator.js';
import type { QuotaEvaluator } from './quota-evaluator.js';
import { resourceClaimEvaluator } from './resource-claim-evaluator.js';
import { meetsScope, type QuotaScope } from './scopes.js';
import { serviceEvaluator } from './service-evaluator.js';

const byClass = '.storageclass.storage.k8s.io/';
const names = ['persistentvolumeclaims', 'requests.storage'];

/**
 * Evaluates claims: number and requested storage, in total and by class. Source: kubernetes
 * pkg/quota/v1/evaluator/core/persistent_volume_claims.go.
 */
const claimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource, object, oldObject }) => {
    if (subresource === 'status') return changesUsage(object?.value, oldObject?.value);
    return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
  },
  counts: name => name === 'count/persistentvolumeclaims' || names.includes(name) || names.some(n => name.endsWith(`${byClass}${n}`)),
  isInScope,
  missing: () => '',
  usage: claim => {
    const className = storageClassOf(claim);
    const usage = new Map<string, QuantityLike>(names.slice(0, 1).map(name => [name, '1']));
    usage.set('count/persistentvolumeclaims', '1');
    if (className !== '') usage.set(`${className}${byClass}persistentvolumeclaims`, '1');
    const storage = storageOf(claim);
    if (storage === undefined) return usage;
    usage.set('requests.storage', storage);
    if (className !== '') usage.set(`${className}${byClass}requests.storage`, storage);
    return usage;
  },
};

/** Returns the requested storage, or the amount being allocated when that is larger. */
function storageOf(claim: ValueMap): QuantityLike | undefined {
  const requested = stringAt(claim, 'spec', 'resources', 'requests', 'storage');
  if (requested === '') return undefined;
  const allocated = stringAt(claim, 'status', 'allocatedResources', 'storage');
  return roundedUpQuantity(allocated !== '' && compareQuantities(allocated, requested) > 0 ? allocated : requested, 0);
}

function changesUsage(claim: ValueMap | undefined, old: ValueMap | undefined): boolean {
  const allocated = [claim, old].map(c => stringAt(c, 'status', 'allocatedResources', 'storage'));
  return allocated.some(text => text !== '') || classesOf(claim).join() !== classesOf(old).join();
}

/** Returns a claim's current and target attribute classes, sorted. */
function classesOf(claim: ValueMap | undefined): string[] {
  const found = [
    stringAt(claim, 'spec', 'volumeAttributesClassName'),
    stringAt(claim, 'status', 'currentVolumeAttributesClassName'),
    stringAt(claim, 'status', 'modifyVolumeStatus', 'targetVolumeAttributesClassName'),
  ];
  return [...new Set(found.filter(name => name !== ''))].sort();
}

function isInScope(scope: QuotaScope, claim: ValueMap): boolean {
  if (scope.name !== 'VolumeAttributesClass') return false;
  const classes = classesOf(claim);
  return classes.length === 0 ? meetsScope(scope, undefined) : classes.some(name => meetsScope(scope, name));
}

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
