import { policyCompiler } from '../../src/cel/compiled-policy.js';
import { evaluate } from '../../src/cel/program/evaluate.js';
import { reviewVariables } from '../../src/cli/commands/proxy/match-expression.js';
import type { ApiServer } from '../../src/kubernetes/api-server.js';
import { AbortedConnection } from '../../src/kubernetes/status.js';
import { patchTextOfPolicy } from '../../src/plugins/policies/json-patch.js';
import { MutationError } from '../../src/plugins/policies/mutation-error.js';

/** Members of an answer that are CEL expressions, with the type of their results. */
const types = { when: 'condition', messageExpression: 'message', patchExpression: 'patches' } as const;

export type ExpressionName = keyof typeof types;

export const expressionNames = Object.keys(types) as ExpressionName[];

/** An expression does not compile, or has no value for a review. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    readonly member: ExpressionName,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${member}: ${reason}`, options);
  }
}

/** Returns the value of an expression for a review, as text: `true`, a message, or the operations of a patch. Throws ExpressionError. */
export type AnswerExpression = (body: string) => string;

/**
 * Compiles a member of an answer. The expressions are CEL, because the address of a page that someone shared contains them: they can read
 * the review and nothing else, the API server's cost limit ends them, and the page needs no permission to evaluate JavaScript. Throws ExpressionError.
 */
export function answerExpression(server: ApiServer, name: ExpressionName, expression: unknown): AnswerExpression {
  if (typeof expression !== 'string') throw new ExpressionError(name, 'expected a string that contains a CEL expression');
  const names = { hasParams: false, hasAuthorizer: false };
  const compilation = explained(name, () => policyCompiler(server, false).compile({ expression, comesTo: types[name], ...names }));
  if (compilation.outcome === 'failed') throw new ExpressionError(name, compilation.error.detail);
  return body => {
    const outcome = evaluate(compilation.program, reviewVariables(body));
    if (outcome.outcome === 'error') throw new ExpressionError(name, outcome.message);
    return name === 'patchExpression' ? explained(name, () => patchTextOfPolicy(server, outcome.value)) : String(outcome.value);
  };
}

function explained<T>(name: ExpressionName, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AbortedConnection || error instanceof MutationError)) throw error;
    throw new ExpressionError(name, error.message, { cause: error });
  }
}
