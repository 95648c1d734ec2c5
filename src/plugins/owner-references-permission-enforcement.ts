import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import type { AuthorizerAnswer } from '../cel/library/authorizer.js';
import { quote } from '../go/quote.js';
import { listAt, stringAt, type Value, valueAt } from '../go/value.js';
import { parseApiVersion } from '../kubernetes/group-version.js';
import { permission } from './permission.js';

/**
 * OwnerReferencesPermissionEnforcement: requires permissions to make an object depend on others. Source: kubernetes
 * plugin/pkg/admission/gc.
 */
export const ownerReferencesPermissionEnforcement: AdmissionPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  validate: (attributes, context) => {
    const owners = listAt(attributes.object?.value, 'metadata', 'ownerReferences');
    const before = listAt(attributes.oldObject?.value, 'metadata', 'ownerReferences');
    if (owners.length === before.length && owners.every((owner, i) => sameOwner(owner, before[i]))) return;
    if (attributes.operation === 'UPDATE') checkDeletion(attributes, context);
    const blocking = new Set(before.filter(isBlocking).map(owner => stringAt(owner, 'uid')));
    const added = owners.filter(owner => isBlocking(owner) && !blocking.has(stringAt(owner, 'uid')));
    if (added.length === 0) return;
    const all = { verb: 'update', group: '*', resource: '*', subresource: 'finalizers', name: '*' };
    if (!permission(attributes, context, all).allowed) for (const owner of added) checkFinalizers(owner, attributes, context);
  },
};

function checkDeletion(attributes: Attributes, context: AdmissionContext): void {
  const { resource, subresource, namespace, name } = attributes;
  const deed = { verb: 'delete', group: resource.group, resource: resource.resource, subresource, namespace, name };
  refuseUnless(permission(attributes, context, deed), attributes, "cannot set an ownerRef on a resource you can't delete");
}

/** Checks the permission on finalizers; a kind may be served as several resources. */
function checkFinalizers(owner: Value, attributes: Attributes, context: AdmissionContext): void {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map(key => stringAt(owner, key));
  const { group, version } = parseApiVersion(apiVersion ?? '') ?? { group: '', version: '' };
  const served = context.resources.filter(r => r.kind.group === group && r.kind.version === version && r.kind.kind === kind);
  if (served.length === 0) {
    const unknown = `no matches for kind ${quote(kind ?? '')} in version ${quote(apiVersion ?? '')}`;
    const what = `APIVersion ${apiVersion} Kind ${kind}: ${unknown}`;
    throw admissionRefusal(attributes, `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for ${what}`);
  }
  for (const { resource, namespaced } of served) {
    const namespace = namespaced ? attributes.namespace : '';
    const deed = { verb: 'update', group, resource, subresource: 'finalizers', namespace, name: name ?? '' };
    const message = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    refuseUnless(permission(attributes, context, deed), attributes, message);
  }
}

function refuseUnless({ allowed, reason, error }: AuthorizerAnswer, attributes: Attributes, message: string): void {
  if (!allowed) throw admissionRefusal(attributes, `${message}: ${reason}, ${error ?? '<nil>'}`);
}

function isBlocking(owner: Value): boolean {
  return valueAt(owner, 'blockOwnerDeletion') === true;
}

function sameOwner(a: Value, b: Value | undefined): boolean {
  return ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'].every(key => valueAt(a, key) === valueAt(b, key));
}
