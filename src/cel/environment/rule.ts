import type { ApiServer } from '../../kubernetes/api-server.js';
import { type DeclaredType, namedType } from '../schema/declared-type.js';
import { optionalType } from '../values/type.js';
import { type Environment, type ExpressionUse, kubernetesEnvironment } from './environment.js';

/**
 * The API server adds a timestamp to the name, so expressions cannot depend on it. Source: apiextensions-apiserver
 * schema/cel/compilation.go.
 */
const selfTypeName = 'selfType0';

/** Environments of a schema's rules: with a plain `oldSelf`, and with an optional one. */
export interface RuleEnvironments {
  readonly plain: Environment;
  readonly optionalOldSelf: Environment;
}

/** Environments of rules for values of a type. Source: apiextensions-apiserver schema/cel/compilation.go prepareEnvSet. */
export function ruleEnvironments(server: ApiServer, declared: DeclaredType, use: ExpressionUse = 'stored'): RuleEnvironments {
  const { type, structs } = namedType(declared, selfTypeName);
  const self = { name: 'self', type };
  return {
    plain: kubernetesEnvironment(server, { use, variables: [self, { name: 'oldSelf', type }], structs }),
    optionalOldSelf: kubernetesEnvironment(server, { use, variables: [self, { name: 'oldSelf', type: optionalType(type) }], structs }),
  };
}
