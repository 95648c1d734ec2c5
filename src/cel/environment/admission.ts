import type { ApiServer } from '../../kubernetes/api-server.js';
import { lazy, memoize } from '../../kubernetes/memoize.js';
import { type FunctionDeclaration, fn, overload, unary } from '../check/declarations.js';
import type { StructDeclaration, TypeProvider } from '../check/type-provider.js';
import { dispatcherOf } from '../evaluate/dispatcher.js';
import { AUTHORIZER, RESOURCE_CHECK } from '../library/authorizer.js';
import { textInside } from '../values/found.js';
import { isPatchTypeName, jsonPatchTypeName } from '../values/patch-values.js';
import { DYN, STRING, structType, type Type } from '../values/type.js';
import { noSuchOverload } from '../values/value.js';
import { type Environment, type ExpressionUse, effectiveUse, kubernetesEnvironment } from './environment.js';
import { admissionRequestType, declarationsOf, namespaceType } from './kubernetes-types.js';

/** Optional variables of an admission expression, besides the objects and the request. */
export interface AdmissionNames {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Types of the policy's variables declared so far; undefined without variables. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  /** Whether it can create objects and patches. */
  readonly hasPatchTypes?: boolean;
  readonly use?: ExpressionUse | undefined;
}

/** Environment of a policy's expressions. Source: apiserver admission/plugin/cel/compile.go createEnvForOpts, composition.go. */
export function policyEnvironment(server: ApiServer, names: AdmissionNames): Environment {
  const environment = withoutPatchTypes(server, names);
  return names.hasPatchTypes === true ? withPatchTypes(environment) : environment;
}

function withoutPatchTypes(server: ApiServer, { hasParams, hasAuthorizer, variables, use }: AdmissionNames): Environment {
  const composed = variables === undefined ? [] : [{ name: 'variables', type: structType(variablesName) }];
  const authorizers = [
    { name: 'authorizer', type: AUTHORIZER },
    { name: 'authorizer.requestResource', type: RESOURCE_CHECK },
  ];
  return kubernetesEnvironment(server, {
    use,
    variables: [
      ...composed,
      { name: 'object', type: DYN },
      { name: 'oldObject', type: DYN },
      { name: 'namespaceObject', type: structType(namespaceType.name) },
      { name: 'request', type: structType(admissionRequestType.name) },
      ...(hasParams ? [{ name: 'params', type: DYN }] : []),
      ...(hasAuthorizer ? authorizers : []),
    ],
    structs: [
      ...declarationsOf(namespaceType),
      ...declarationsOf(admissionRequestType),
      ...(variables === undefined ? [] : [[variablesName, { type: structType(variablesName), fields: variables }] as const]),
    ],
  });
}

const variablesName = 'kubernetes.variables';

/** Environment of webhooks' match conditions. */
export function matchConditionEnvironment(server: ApiServer, use: ExpressionUse = 'stored'): Environment {
  return known(server)[effectiveUse(server, use)]();
}

const known = memoize((server: ApiServer) => ({
  new: lazy(() => policyEnvironment(server, { hasParams: false, hasAuthorizer: true, use: 'new' })),
  stored: lazy(() => policyEnvironment(server, { hasParams: false, hasAuthorizer: true, use: 'stored' })),
}));

/**
 * The environment of mutations, with additional declarations: the types `Object`, `Object.<field>...` and `JSONPatch`, and
 * `jsonpatch.escapeKey`. Source: apiserver admission/plugin/cel/compile.go hasPatchTypes.
 */
function withPatchTypes(environment: Environment): Environment {
  return { ...environment, ...withEscapeKey(environment.functions), types: patchTypeProvider(environment.types) };
}

const escapeKey: FunctionDeclaration = fn(
  'jsonpatch.escapeKey',
  overload(
    'string_jsonpatch_escapeKey_string',
    [STRING],
    STRING,
    unary(value => {
      const text = textInside(value);
      return text === undefined ? noSuchOverload(value) : text.replace(/[~/]/g, found => (found === '~' ? '~0' : '~1'));
    }),
  ),
);

/** Memoized, because the environments of an API server share their functions. */
const withEscapeKey = memoize((shared: Environment['functions']): Pick<Environment, 'functions' | 'dispatcher'> => {
  const functions = new Map(shared).set(escapeKey.name, escapeKey);
  return { functions, dispatcher: dispatcherOf(functions.values()) };
});

function patchTypeProvider(types: TypeProvider): TypeProvider {
  const get = (name: string): StructDeclaration | undefined => (isPatchTypeName(name) ? declarationOf(name) : types.structs.get(name));
  return { ...types, structs: { get, has: name => isPatchTypeName(name) || types.structs.has(name) } };
}

/** Objects accept any field name, because expressions are compiled without a schema. */
function declarationOf(name: string): StructDeclaration {
  return { type: structType(name), fields: name === jsonPatchTypeName ? operationFields : anyField };
}

const anyField: StructDeclaration['fields'] = { get: () => DYN };

/** The type of a missing field has no name. */
const NO_TYPE: Type = { kind: 'opaque', name: '', parameters: [], traits: 0, nullable: false };

const operationFields: StructDeclaration['fields'] = {
  get: name => (name === 'value' ? DYN : ['op', 'path', 'from'].includes(name) ? STRING : NO_TYPE),
};
