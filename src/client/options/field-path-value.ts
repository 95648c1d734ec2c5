import { type AnswerPath, parseFieldPath } from '../field-path.js';
import type { ValueType } from './value-type.js';

const expected = 'a path such as spec.containers[*].env';

/** `--redact`, `--ignore-field`: the path of a field of objects. */
export const fieldPathValue: ValueType<AnswerPath> = {
  parse: text => {
    const path = parseFieldPath(text);
    return 'error' in path ? undefined : path;
  },
  expected,
  expectedFor: text => {
    const path = parseFieldPath(text);
    return 'error' in path ? `${expected}; it ${path.error}` : expected;
  },
  schema: { type: 'string' },
};
