import type { Activation } from '../../cel/evaluate.js';
import { authorizerValue, resourceCheckValue } from '../../cel/library/authorizer.js';
import type { Found } from '../../cel/values/value.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { toValue, type Value } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';

import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { authorizerOf } from '../authorization/authorizer-of.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import type { VersionedObjects } from './invoke.js';
import type { Invocation } from './select.js';

/** A request as match conditions see it. */
export interface ConditionInput {
  readonly invocation: Invocation;
  readonly objects: VersionedObjects;
  readonly attributes: Attributes;
}

/** The variables of match conditions; each is made when it is first asked for. Source: apiserver admission/plugin/cel/activation.go. */
export function conditionVariables(input: ConditionInput, context: AdmissionContext): Activation {
  const { attributes, objects } = input;
  const makers: Readonly<Record<string, () => Found>> = {
    object: () => asJson(objects.object),
    oldObject: () => asJson(objects.oldObject),
    request: () => requestValue(input.invocation.kind, attributes.resource, attributes),
    // Webhooks, unlike policies, do not get to see the namespace.
    namespaceObject: () => null,
    authorizer: () => authorizerValue(attributes.user, authorizerOf(context)),
    'authorizer.requestResource': () => requestResource(attributes, context),
  };
  const made = new Map<string, Found>();
  const resolve = (name: string): Found | undefined => {
    const known = made.get(name);
    const make = makers[name];
    if (known !== undefined || make === undefined) return known;
    const value = make();
    made.set(name, value);
    return value;
  };
  return { resolve, interrupted: () => context.remainingMs() <= 0 };
}

/** An object in the shape of its JSON. A custom resource has that shape already, and its `2.0` stays a double. */
export function asJson(object: ApiObject | undefined): Value {
  if (object === undefined) return null;
  return isCustomCodec(object.codec) ? object.value : readUnstructured(object.codec.encode(object.value));
}

/**
 * The variable `request`. Of match conditions its resource is the request's own, unlike the review's; what is empty is left out.
 * Source: apiserver admission/plugin/cel/condition.go CreateAdmissionRequest.
 */
export function requestValue(matchedKind: GroupVersionKind, matchedResource: GroupVersionResource, attributes: Attributes): Value {
  const { kind, resource, subresource } = attributes;
  return toValue({
    uid: '',
    kind: matchedKind,
    resource: matchedResource,
    subResource: unlessEmpty(subresource),
    requestKind: kind,
    requestResource: resource,
    requestSubResource: unlessEmpty(subresource),
    name: unlessEmpty(attributes.name),
    namespace: unlessEmpty(attributes.namespace),
    operation: attributes.operation,
    userInfo: userInfoValue(attributes.user),
    object: null,
    oldObject: null,
    dryRun: attributes.dryRun,
    options: asJson(attributes.options),
  });
}

function userInfoValue({ username, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    username: unlessEmpty(username),
    uid: unlessEmpty(uid),
    groups: groups.length === 0 ? undefined : groups,
    extra: extra.size === 0 ? undefined : extra,
  };
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** The variable `authorizer.requestResource`. */
export function requestResource({ user, resource, subresource, namespace, name }: Attributes, context: AdmissionContext): Found {
  const asking = { user, authorizer: authorizerOf(context) };
  const { group } = resource;
  return resourceCheckValue(asking, {
    group,
    resource: resource.resource,
    subresource,
    namespace,
    name,
    fieldSelector: '',
    labelSelector: '',
  });
}
