import { type Environment, kubernetesEnvironment } from '../../cel/environment/environment.js';
import { type CelObjectType, declarationsOf } from '../../cel/environment/kubernetes-types.js';
import { type CelProgram, compileExpression } from '../../cel/program/compile.js';
import { evaluate } from '../../cel/program/evaluate.js';
import { childrenOf, type Expr } from '../../cel/syntax/ast.js';
import { operators } from '../../cel/syntax/operators.js';
import { ANY, BOOL, listType, mapType, STRING, sameType, structType } from '../../cel/values/type.js';
import type { CelValue, FoundValue } from '../../cel/values/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type FieldError, internalFieldError, invalidValue } from '../../kubernetes/field-error.js';
import { memoize } from '../../kubernetes/memoize.js';

/** The variable that expressions have. */
export type Variable = 'claims' | 'user';

/** An expression that compiles. */
export interface CompiledExpression {
  readonly expression: string;
  readonly variable: Variable;
  readonly program: CelProgram;
}

const userType: CelObjectType = {
  name: 'kubernetes.UserInfo',
  fields: { username: STRING, uid: STRING, groups: listType(STRING), extra: mapType(STRING, listType(STRING)) },
};

/** Source: apiserver authentication/cel/compile.go mustBuildEnvs. */
const environments: Readonly<Record<Variable, (server: ApiServer) => Environment>> = {
  claims: memoize(server => kubernetesEnvironment(server, { variables: [{ name: 'claims', type: mapType(STRING, ANY) }], structs: [] })),
  user: memoize(server =>
    kubernetesEnvironment(server, {
      variables: [{ name: 'user', type: structType(userType.name) }],
      structs: [...declarationsOf(userType)],
    }),
  ),
};

/** Compiles an expression; a rule has to be of type bool. Source: apiserver authentication/cel/compile.go. */
export function compileClaimExpression(
  server: ApiServer,
  expression: string,
  { variable, isRule, field }: { readonly variable: Variable; readonly isRule: boolean; readonly field: string },
): CompiledExpression | FieldError {
  const compilation = compileExpression(expression, environments[variable](server), type =>
    isRule && !sameType(type, BOOL) ? 'must evaluate to bool' : undefined,
  );
  if (compilation.outcome === 'compiled') return { expression, variable, program: compilation.program };
  const { kind, detail } = compilation.error;
  return kind === 'internal' ? internalFieldError(field, detail) : invalidValue(field, expression, detail);
}

/** Returns the value of an expression. Throws Error with its message. Source: apiserver authentication/cel/mapper.go eval. */
export function evaluateClaimExpression({ expression, variable, program }: CompiledExpression, value: FoundValue): CelValue {
  const outcome = evaluate(program, { resolve: name => (name === variable ? value : undefined) });
  if (outcome.outcome === 'value') return outcome.value;
  throw new Error(`expression '${expression}' resulted in error: ${outcome.message}`);
}

/** Reports whether an expression selects a claim by its name. Source: apiserver apis/apiserver/validation/validation.go hasSelectExp. */
export function usesClaim({ program }: CompiledExpression, claim: string): boolean {
  return selectsClaim(program.checked.expr, claim);
}

function selectsClaim(expr: Expr, claim: string): boolean {
  const { node } = expr;
  if (node.kind === 'select' && isClaims(node.operand) && node.field === claim) return true;
  if (node.kind === 'call' && node.function === operators.optSelect && node.args.length === 2) {
    const [operand, field] = node.args;
    if (operand !== undefined && isClaims(operand) && field?.node.kind === 'literal' && field.node.value === claim) return true;
  }
  return childrenOf(expr).some(child => selectsClaim(child, claim));
}

function isClaims({ node }: Expr): boolean {
  return node.kind === 'ident' && node.name === 'claims';
}
