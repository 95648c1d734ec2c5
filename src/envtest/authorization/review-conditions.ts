import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import { accessReviewEnvironment } from '../../cel/environment/authorization.js';
import type { AuthorizerQuestion, ResourceParts } from '../../cel/library/authorizer.js';
import { type Compilation, compileCondition } from '../../cel/program/compile.js';
import { evaluate } from '../../cel/program/evaluate.js';
import { toValue, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type SelectorRequirement, selectorRequirements } from './access-review.js';

/** Result of the conditions of a webhook: whether to ask it, or the errors of the evaluation. */
export type ReviewMatch = { readonly matches: boolean } | { readonly error: string };

/** Compiles a match condition of an authorizer. Source: apiserver authorization/cel/compile.go. */
export function compileReviewCondition(server: ApiServer, expression: string): Compilation {
  return compileCondition(expression, accessReviewEnvironment(server));
}

/** Evaluates conditions until one is false. Source: apiserver authorization/cel/matcher.go Eval. */
export function matchReview(
  server: ApiServer,
  conditions: readonly { readonly expression: string; readonly compilation: Compilation }[],
  question: AuthorizerQuestion,
): ReviewMatch {
  const request = requestValue(server, question);
  const errors: string[] = [];
  for (const { expression, compilation } of conditions) {
    if (compilation.outcome === 'failed') throw new Error('conditions that do not compile are refused at the start');
    const outcome = evaluate(compilation.program, { resolve: name => (name === 'request' ? request : undefined) });
    if (outcome.outcome === 'error') errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${outcome.message}`);
    else if (outcome.value === false) return { matches: false };
  }
  return errors.length === 0 ? { matches: true } : { error: aggregate(errors) };
}

/** Has every attribute that is a text, also an empty one. Source: authorization/cel/compile.go convertObjectToUnstructured. */
function requestValue(server: ApiServer, question: AuthorizerQuestion): Value {
  const { username, uid, groups, extra } = question.user;
  const lists = [...extra].map(([key, list]): [string, string[]] => [key, [...list]]);
  const attributes =
    'path' in question
      ? { nonResourceAttributes: { path: question.path, verb: question.verb } }
      : { resourceAttributes: resourceValue(server, question) };
  return toValue({ user: username, groups: [...groups], uid, extra: Object.fromEntries(lists), ...attributes });
}

function resourceValue(server: ApiServer, question: ResourceParts & { readonly verb: string }): object {
  const { namespace, verb, group, version = '*', resource, subresource, name } = question;
  const { fields, labels } = selectorRequirements(server, question);
  return {
    ...{ namespace, verb, group, version, resource, subresource, name },
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields.map(withValues) } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels.map(withValues) } }),
  };
}

function withValues({ key, operator, values = [] }: SelectorRequirement): object {
  return { key, operator, values: [...values] };
}
