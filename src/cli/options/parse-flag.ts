import { CliError, invalidFlag } from '../../client/cli-error.js';
import { parseText } from '../../client/options/parse-option.js';
import type { ValueType } from '../../client/options/value-type.js';

/** Parses the value of a flag. Throws CliError, which names the flag. */
export function parseFlag<T>(name: string, given: string, type: ValueType<T>): T {
  return parseText(type, { at: name, text: given }, ({ at, text }, { expected, suggestions }) => {
    if (type.isSecret) return new CliError('usage', `invalid --${at}: expected ${expected}`);
    const isTemplate = at === 'output' && /^(jsonpath|go-template|custom-columns|wide)/.test(text);
    const error = invalidFlag(at, text, isTemplate ? `${expected}; pass -o json to jq for parts of it` : expected);
    return suggestions.length === 0 ? error : new CliError(error.code, error.message, { suggestions });
  });
}
