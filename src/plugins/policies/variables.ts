import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { authorizerOf } from '../../apiserver/authorization/authorizer-of.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { semanticallyEqualAs } from '../../apiserver/objects/semantic-equality.js';
import {
  expressionObserver,
  requestResource,
  requestValue,
  typedObject,
  typedRequest,
} from '../../apiserver/webhooks/condition-variables.js';
import type { VersionedObjects } from '../../apiserver/webhooks/versioned-request.js';
import { authorizerValue } from '../../cel/library/authorizer.js';
import type { Activation } from '../../cel/program/evaluate.js';
import { typedValue } from '../../cel/values/typed.js';
import type { FoundValue } from '../../cel/values/value.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { ownMember } from '../../go/own-members.js';
import { copyOf, isMap, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { MatchedResource } from './match-resources.js';

/** Request as seen by the expressions of a policy. */
export interface ExpressionInput {
  readonly matched: MatchedResource;
  readonly objects: VersionedObjects;
  readonly attributes: Attributes;
  /** `params`: null without a parameter. */
  readonly params: Value;
  /** `namespaceObject`. */
  readonly namespace: Value;
  /** Whether the authorizer is hidden: in messages and audit annotations, also in the variables that they use. */
  readonly hidesAuthorizer?: boolean;
  /** Returns an object as the expressions see it; `typedObject` if it is left out. Mutations see plain data. */
  readonly objectValue?: ((object: ApiObject | undefined) => FoundValue) | undefined;
}

/**
 * Returns the variables of a policy's expressions, each evaluated lazily. Source: apiserver admission/plugin/cel/activation.go
 * newActivation.
 */
export function expressionVariables(input: ExpressionInput, context: AdmissionContext): Activation {
  const { server } = context;
  const { attributes, objects, matched, objectValue = (object: ApiObject | undefined): FoundValue => typedObject(server, object) } = input;
  const makers: Readonly<Record<string, () => FoundValue>> = {
    object: () => objectValue(objects.object),
    oldObject: () => objectValue(objects.oldObject),
    request: () => typedRequest(server, requestValue(matched.kind, matched.resource, attributes)),
    params: () => typedData(server, input.params),
    namespaceObject: () => typedData(server, input.namespace, namespaceKind),
    authorizer: () => authorizerValue(attributes.user, authorizerOf(context, attributes)),
    'authorizer.requestResource': () => requestResource(attributes, context),
  };
  const made = new Map<string, FoundValue>();
  const resolve = (name: string): FoundValue | undefined => {
    const known = made.get(name);
    const make = input.hidesAuthorizer === true && name.startsWith('authorizer') ? undefined : ownMember(makers, name);
    if (known !== undefined || make === undefined) return known;
    const value = make();
    made.set(name, value);
    return value;
  };
  return { resolve, interrupted: () => context.remainingMs() <= 0, evaluated: expressionObserver(context) };
}

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace' };

/** Returns JSON data of a kind as conditions see it; the kind is the data's own if none is given. */
function typedData(server: ApiServer, data: Value, kind?: GroupVersionKind): FoundValue {
  if (server.until('v1.36') || !isMap(data)) return data;
  const own = { ...parseApiVersion(stringAt(data, 'apiVersion')), kind: stringAt(data, 'kind') };
  const schema = schemaOfKind(server, kind ?? { group: '', version: '', ...own });
  return schema === undefined ? data : typedValue(data, schema, semanticallyEqualAs);
}

/** Returns the Namespace of a request as JSON without its kind, for validations and mutations; null for a cluster-scoped request. */
export function namespaceValue(server: ApiServer, namespace: ValueMap | undefined): ValueMap | null {
  const codec = builtInCodec(server, namespaceKind);
  if (namespace === undefined || codec === undefined) return null;
  const value = copyOf(namespace);
  value.delete('kind');
  value.delete('apiVersion');
  const read = readUnstructured(codec.encode(value));
  return read instanceof Map ? read : null;
}

const exposedMetadata = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/**
 * Returns the fields of a namespace that validations can access. Source: apiserver admission/plugin/cel/condition.go CreateNamespaceObject.
 */
export function exposedNamespace(namespace: ValueMap | null): ValueMap | null {
  if (namespace === null) return null;
  const metadata = mapAt(namespace, 'metadata') ?? new Map<string, Value>();
  const exposed = new Map([...metadata].filter(([key]) => exposedMetadata.includes(key)));
  return new Map(namespace).set('metadata', exposed);
}
