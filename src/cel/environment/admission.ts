import type { ApiServer } from '../../kubernetes/api-server.js';
import { lazy, memoize } from '../../kubernetes/memoize.js';
import { AUTHORIZER, RESOURCE_CHECK } from '../library/authorizer.js';
import { DYN, structType, type Type } from '../values/type.js';
import { type Environment, type ExpressionUse, effectiveUse, kubernetesEnvironment } from './environment.js';
import { admissionRequestType, declarationsOf, namespaceType } from './kubernetes-types.js';
import { withPatchTypes } from './patch-types.js';

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
