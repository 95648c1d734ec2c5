import { authorizerValue, resourceCheckValue } from '../../cel/library/authorizer.js';
import type { Activation } from '../../cel/program/evaluate.js';
import { evaluatedExpression } from '../../cel/subexpressions.js';
import { typedValue } from '../../cel/values/typed.js';
import type { FoundValue } from '../../cel/values/value.js';
import { ownMember } from '../../go/own-members.js';
import { isMap, toValue, type Value } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { authorizerOf } from '../authorization/authorizer-of.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { semanticallyEqualAs } from '../objects/semantic-equality.js';
import type { WebhookInvocation } from './select.js';
import { typedView } from './typed-view.js';
import type { VersionedObjects } from './versioned-request.js';

/** Request as seen by match conditions. */
export interface ConditionInput {
  readonly invocation: WebhookInvocation;
  readonly objects: VersionedObjects;
  readonly attributes: Attributes;
}

/** Returns the variables of match conditions, each evaluated lazily. Source: apiserver admission/plugin/cel/activation.go. */
export function conditionVariables(input: ConditionInput, context: AdmissionContext): Activation {
  const { attributes, objects } = input;
  const makers: Readonly<Record<string, () => FoundValue>> = {
    object: () => typedObject(context.server, objects.object),
    oldObject: () => typedObject(context.server, objects.oldObject),
    request: () => typedRequest(context.server, requestValue(input.invocation.kind, attributes.resource, attributes)),
    // Webhooks, unlike policies, have no namespaceObject.
    namespaceObject: () => null,
    authorizer: () => authorizerValue(attributes.user, authorizerOf(context, attributes)),
    'authorizer.requestResource': () => requestResource(attributes, context),
  };
  const made = new Map<string, FoundValue>();
  const resolve = (name: string): FoundValue | undefined => {
    const known = made.get(name);
    const make = ownMember(makers, name);
    if (known !== undefined || make === undefined) return known;
    const value = make();
    made.set(name, value);
    return value;
  };
  return { resolve, interrupted: () => context.remainingMs() <= 0, evaluated: expressionObserver(context) };
}

/** Returns the observer of evaluated expressions; undefined when nobody asks for them. */
export function expressionObserver({ effects: { onExpression } }: AdmissionContext): Activation['evaluated'] {
  return onExpression && ((program, values) => onExpression(evaluatedExpression(program, values)));
}

/** Returns an object in the shape of its JSON. A custom resource has that shape already, and its `2.0` stays a double. */
export function asJson(object: ApiObject | undefined): Value {
  if (object === undefined) return null;
  return isCustomCodec(object.codec) ? object.value : object.codec.toUnstructured(object.value);
}

/** Returns an object as conditions see it: since v1.37, built-in ones with their Go types. Source: apiserver admission/conversion.go CELValue. */
export function typedObject(server: ApiServer, object: ApiObject | undefined): FoundValue {
  if (object === undefined || isCustomCodec(object.codec) || server.until('v1.36')) return asJson(object);
  const schema = schemaOfKind(server, object.codec.kind);
  return schema === undefined
    ? typedValue(asJson(object), schema, semanticallyEqualAs)
    : typedView(object.value, schema, semanticallyEqualAs);
}

/** Returns the variable `request` in the same way; its options are plain data. */
export function typedRequest(server: ApiServer, request: Value): FoundValue {
  if (server.until('v1.36') || !isMap(request)) return request;
  const members = [...request].map(
    ([key, member]) => [key, key === 'options' ? member : typedValue(member, undefined, semanticallyEqualAs)] as const,
  );
  return { kind: 'map', entries: { keys: 'strings', byKey: new Map<string, FoundValue>(members) }, typed: {} };
}

/**
 * Returns the variable `request`. In match conditions its resource is the request's own, unlike in the review; empty fields are omitted.
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

/** Returns the variable `authorizer.requestResource`. */
export function requestResource(attributes: Attributes, context: AdmissionContext): FoundValue {
  const { user, resource, subresource, namespace, name } = attributes;
  const asking = { user, authorizer: authorizerOf(context, attributes) };
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
