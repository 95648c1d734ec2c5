import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { NotReproduced } from '../../apiserver/admission/not-reproduced.js';
import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { convertBuiltIn } from '../../apiserver/objects/convert-built-in.js';
import { customCodec } from '../../apiserver/objects/custom-codec.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { copyOf, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion, printKind, sameGroupVersion } from '../../kubernetes/group-version.js';
import { labelsOf, SelectorError, selectorOf, selects } from '../../kubernetes/label-selector.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { AdmissionPolicy, PolicyBinding, PolicyParamRef } from './policy.js';

/** Parameter of a binding. */
export interface Param {
  /** `namespace/name`, or a name. */
  readonly name: string;
  /** In the version of `paramKind`, as JSON. */
  readonly value: ValueMap;
  /** Whether the kind is built in: its value has neither apiVersion nor kind. */
  readonly isNative: boolean;
}

/** Configuration error of a policy or binding; the message is the API server's. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Returns the resource of a policy's parameters; undefined without `paramKind`. Throws ConfigurationError. */
export function paramResource({ paramKind }: AdmissionPolicy, { resources }: Pick<AdmissionContext, 'resources'>): Resource | undefined {
  if (paramKind === undefined) return undefined;
  const kind = { ...(parseApiVersion(paramKind.apiVersion) ?? { group: '', version: '' }), kind: paramKind.kind };
  const found = resources.find(r => r.group === kind.group && r.version === kind.version && r.kind.kind === kind.kind);
  if (found === undefined) throw new ConfigurationError(`failed to find resource referenced by paramKind: '${printKind(kind)}'`);
  return found;
}

/**
 * Returns the parameters of a binding; a single undefined one when there are none to pass. Throws ConfigurationError. Source: apiserver
 * admission/plugin/policy/generic/policy_dispatcher.go CollectParams.
 */
export function paramsOf(
  resource: Resource | undefined,
  { paramRef }: PolicyBinding,
  { namespace, context }: { readonly namespace: string; readonly context: AdmissionContext },
): readonly (Param | undefined)[] {
  if (resource === undefined || paramRef === undefined) return [undefined];
  if (resource.namespaced && paramRef.namespace === '' && namespace === '')
    throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (!resource.namespaced && paramRef.namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const found = objectsNamed(context.server, resource, paramRef, {
    namespace: resource.namespaced ? paramRef.namespace || namespace : '',
    context,
  });
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found.map(object => paramOf(object, resource, context));
}

function objectsNamed(
  server: ApiServer,
  { kind }: Resource,
  { name, selector }: PolicyParamRef,
  { namespace, context: { storage } }: { readonly namespace: string; readonly context: AdmissionContext },
): ValueMap[] {
  if (name !== '') {
    if (selector !== undefined) throw new ConfigurationError('paramRef.name and paramRef.selector are mutually exclusive');
    const found = storage.find(kind, namespace, name);
    return found === undefined ? [] : [found];
  }
  if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
  try {
    const read = selectorOf(server, selector);
    return storage.list(kind, namespace).filter(object => selects(read, labelsOf(object)));
  } catch (error) {
    if (error instanceof SelectorError) throw new ConfigurationError(error.message);
    throw error;
  }
}

/** Groups whose objects the API server's policies read without Go types. */
const dynamicGroups = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

function paramOf(object: ValueMap, resource: Resource, context: AdmissionContext): Param {
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  const isNative = !resource.custom && !dynamicGroups.has(resource.group);
  const value = resource.custom ? customValue(object, resource.kind, context) : builtInValue(context.server, object, resource.kind);
  if (isNative) for (const key of ['kind', 'apiVersion']) value.delete(key);
  return { name: namespace === '' ? name : `${namespace}/${name}`, value, isNative };
}

/** Returns the object as JSON with defaults, in the version of the kind. */
function builtInValue(server: ApiServer, object: ValueMap, kind: GroupVersionKind): ValueMap {
  const from = kindOf(object);
  const [own, target] = [builtInCodec(server, from), builtInCodec(server, kind)];
  if (own === undefined || target === undefined)
    throw new NotReproduced(`the parameter is a ${from.kind} of ${apiVersionOf(from)}, which is not in the table of types`);
  const { value } = own.decode(writeValue(object, 'kept'));
  own.applyDefaults(value);
  const converted = sameGroupVersion(from, kind) ? value : convertBuiltIn(server, value, from, kind);
  converted.set('apiVersion', apiVersionOf(kind)).set('kind', kind.kind);
  const read = readUnstructured(target.encode(converted));
  return read instanceof Map ? read : new Map();
}

function customValue(object: ValueMap, kind: GroupVersionKind, { storage, server }: AdmissionContext): ValueMap {
  const value = copyOf(object);
  if (sameGroupVersion(kindOf(object), kind)) return value;
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' });
  const definition = definitions.find(
    d => stringAt(d, 'spec', 'group') === kind.group && stringAt(d, 'spec', 'names', 'kind') === kind.kind,
  );
  if (definition === undefined || stringAt(valueAt(definition, 'spec', 'conversion'), 'strategy') === 'Webhook')
    throw new NotReproduced(`parameters of kind ${printKind(kind)} are not converted by a webhook here`);
  value.set('apiVersion', apiVersionOf(kind));
  const codec = customCodec(server, kind, definition);
  codec.coerce(value, 'storage');
  codec.applyDefaults(value);
  return value;
}
