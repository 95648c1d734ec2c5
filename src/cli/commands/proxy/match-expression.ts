import { compiledCondition } from '../../../cel/compiled-condition.js';
import { type Activation, evaluate } from '../../../cel/program/evaluate.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { ownMember } from '../../../go/own-members.js';
import { mapAt, type Value } from '../../../go/value.js';
import { jsonWithoutSecretsOf } from '../../../redaction/secrets.js';
import { apiServers } from '../../work/api-servers/api-servers.js';

/** `--match`: reports whether the expression is true for a review. An error counts as false. */
export type ReviewMatcher = (body: string) => boolean;

const expected = 'a CEL expression over request, object and oldObject, such as request.operation == "CREATE"';

/** `--match`: with the variables of match conditions. */
export const reviewMatcherValue: ValueType<ReviewMatcher> = {
  parse: expression => {
    const compilation = compiledCondition(apiServers(), expression);
    if (compilation.outcome === 'failed') return undefined;
    const { program } = compilation;
    return body => {
      const outcome = evaluate(program, reviewVariables(body));
      return outcome.outcome === 'value' && outcome.value === true;
    };
  },
  expected,
  expectedFor: expression => {
    const compilation = compiledCondition(apiServers(), expression);
    return compilation.outcome === 'failed' ? `${expected}; ${compilation.error.detail.replaceAll('\n', ' ')}` : expected;
  },
  schema: { type: 'string' },
};

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
