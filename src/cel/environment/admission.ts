import { AUTHORIZER, RESOURCE_CHECK } from '../library/authorizer.js';
import { DYN, structType } from '../values/type.js';
import { type Environment, kubernetesEnvironment } from './environment.js';
import { admissionRequestType, declarationsOf, namespaceType } from './kubernetes-types.js';

/** The environment of match conditions of webhooks. Source: apiserver admission/plugin/cel/compile.go createEnvForOpts. */
export function matchConditionEnvironment(): Environment {
  known ??= kubernetesEnvironment({
    variables: [
      { name: 'object', type: DYN },
      { name: 'oldObject', type: DYN },
      { name: 'namespaceObject', type: structType(namespaceType.name) },
      { name: 'request', type: structType(admissionRequestType.name) },
      { name: 'authorizer', type: AUTHORIZER },
      { name: 'authorizer.requestResource', type: RESOURCE_CHECK },
    ],
    structs: [...declarationsOf(namespaceType), ...declarationsOf(admissionRequestType)],
  });
  return known;
}

let known: Environment | undefined;
