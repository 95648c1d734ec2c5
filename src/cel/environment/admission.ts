import { perMinor } from '../../kubernetes/kubernetes-version.js';
import { whenAsked } from '../../kubernetes/remembered.js';
import { AUTHORIZER, RESOURCE_CHECK } from '../library/authorizer.js';
import { DYN, structType, type Type } from '../values/type.js';
import { type Environment, type ExpressionUse, effectiveUse, kubernetesEnvironment } from './environment.js';
import { admissionRequestType, declarationsOf, namespaceType } from './kubernetes-types.js';

/** What an admission expression may name beside the objects and the request. */
export interface AdmissionNames {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The types of a policy's variables so far; undefined where it has none at all. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  readonly use?: ExpressionUse | undefined;
}

/** The environment of an expression of a policy. Source: apiserver admission/plugin/cel/compile.go createEnvForOpts, composition.go. */
export function policyEnvironment({ hasParams, hasAuthorizer, variables, use }: AdmissionNames): Environment {
  const composed = variables === undefined ? [] : [{ name: 'variables', type: structType(variablesName) }];
  const authorizers = [
    { name: 'authorizer', type: AUTHORIZER },
    { name: 'authorizer.requestResource', type: RESOURCE_CHECK },
  ];
  return kubernetesEnvironment({
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

/** The environment of match conditions of webhooks. */
export function matchConditionEnvironment(use: ExpressionUse = 'stored'): Environment {
  return known()[effectiveUse(use)]();
}

const known = perMinor(() => ({
  new: whenAsked(() => policyEnvironment({ hasParams: false, hasAuthorizer: true, use: 'new' })),
  stored: whenAsked(() => policyEnvironment({ hasParams: false, hasAuthorizer: true, use: 'stored' })),
}));
