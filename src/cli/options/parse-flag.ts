import { CliError, invalidFlag } from '../../client/cli-error.js';
import { parseValue, type ValueType } from '../../client/options/value-type.js';

/** Parses the value of a flag. Throws CliError, which names the flag. */
export function parseFlag<T>(name: string, text: string, type: ValueType<T>): T {
  const result = parseValue(type, text);
  if ('value' in result) return result.value;
  if (type.isSecret) throw new CliError('usage', `invalid --${name}: expected ${result.expected}`);
  const isTemplate = name === 'output' && /^(jsonpath|go-template|custom-columns|wide)/.test(text);
  const error = invalidFlag(name, text, isTemplate ? `${result.expected}; pass -o json to jq for parts of it` : result.expected);
  throw result.suggestions.length === 0 ? error : new CliError(error.code, error.message, { suggestions: result.suggestions });
}
