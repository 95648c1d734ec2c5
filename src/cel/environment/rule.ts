import { type DeclaredType, namedType } from '../schema/declared-type.js';
import { optionalType } from '../values/type.js';
import { type Environment, type ExpressionUse, kubernetesEnvironment } from './environment.js';

/** The API server puts the clock into the name, so that nobody relies on it. Source: apiextensions-apiserver schema/cel/compilation.go. */
const selfTypeName = 'selfType0';

/** The environments of a schema's rules: with `oldSelf` as it is, and with one that may be missing. */
export interface RuleEnvironments {
  readonly plain: Environment;
  readonly optionalOldSelf: Environment;
}

/** What rules at a value of a type can name. Source: apiextensions-apiserver schema/cel/compilation.go prepareEnvSet. */
export function ruleEnvironments(declared: DeclaredType, use: ExpressionUse = 'stored'): RuleEnvironments {
  const { type, structs } = namedType(declared, selfTypeName);
  const self = { name: 'self', type };
  return {
    plain: kubernetesEnvironment({ use, variables: [self, { name: 'oldSelf', type }], structs }),
    optionalOldSelf: kubernetesEnvironment({ use, variables: [self, { name: 'oldSelf', type: optionalType(type) }], structs }),
  };
}
