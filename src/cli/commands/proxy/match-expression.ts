import type { Activation } from '../../../cel/program/evaluate.js';
import { CliError } from '../../../client/cli-error.js';
import { ownMember } from '../../../go/own-members.js';
import { mapAt, type Value } from '../../../go/value.js';
import { jsonWithoutSecretsOf } from '../../../redaction/secrets.js';
import { apiServers } from '../../work/api-servers/api-servers.js';

/**
 * Compiles the expression of `--match`, with the variables `request`, `object` and `oldObject` as in match conditions, and returns a function that reports whether it is true for a review. An error counts as false. Throws CliError for an expression that does not compile.
 */
export async function compileMatcher(expression: string | undefined): Promise<(body: string) => boolean> {
  if (expression === undefined) return () => true;
  const [{ compiledCondition }, { evaluate }] = await Promise.all([
    import('../../../cel/compiled-condition.js'),
    import('../../../cel/program/evaluate.js'),
  ]);
  const compilation = compiledCondition(apiServers(), expression);
  if (compilation.outcome === 'failed')
    throw new CliError('usage', `invalid --match ${JSON.stringify(expression)}: ${compilation.error.detail.replaceAll('\n', ' ')}`, {
      suggestions: ['pass a CEL expression over request, object and oldObject, such as request.operation == "CREATE"'],
    });
  const { program } = compilation;
  return body => {
    const outcome = evaluate(program, reviewVariables(body));
    return outcome.outcome === 'value' && outcome.value === true;
  };
}

/** Returns the variables `request`, `object` and `oldObject` as a review contains them; null for those that it does not contain. */
export function reviewVariables(body: string): Pick<Activation, 'resolve'> {
  const request = mapAt(jsonWithoutSecretsOf(body), 'request');
  const variables: Readonly<Record<string, Value | undefined>> = {
    request: request ?? null,
    object: request?.get('object') ?? null,
    oldObject: request?.get('oldObject') ?? null,
  };
  return { resolve: name => ownMember(variables, name) };
}
