import { compilePattern } from '../../cel/values/regex.js';
import { type AnswerPath, parseFieldPath } from '../../client/field-path.js';
import { isMap } from '../../go/value.js';
import type { TextMatcher, TextPattern } from '../suite.js';

import { invalidField, memberField, members, type SuiteField, textOfField, unexpected } from './field.js';

/** Reads a text that must be equal, or `{matches: REGEX}`. Throws InvalidSuite. */
export function readTextMatcher(field: SuiteField): TextMatcher {
  if (!isMap(field.value)) return { exact: textOfField(field, 'a string or {matches: REGEX}') };
  members(field, ['matches']);
  const pattern = memberField(field, 'matches');
  if (pattern === undefined) throw unexpected(field, 'a string or {matches: REGEX}');
  return { pattern: readPattern(pattern) };
}

/** Reads a regular expression in Go's syntax. Throws InvalidSuite. */
export function readPattern(field: SuiteField): TextPattern {
  const pattern = textOfField(field, 'a regular expression');
  const compiled = compilePattern(pattern);
  if ('error' in compiled)
    throw invalidField(field, `is not a valid regular expression: ${compiled.error}`, { suggestions: ['write it in the syntax of RE2'] });
  return pattern;
}

/** Reads the path of a field in an object: `spec.containers[0].image`. Throws InvalidSuite. */
export function readFieldPath(field: SuiteField): AnswerPath {
  const text = textOfField(field, 'a path such as spec.containers[0].image');
  const path = parseFieldPath(text);
  if ('error' in path) {
    throw invalidField(field, `is the path ${JSON.stringify(text)}, which ${path.error}`, {
      suggestions: [`quote keys with dots or spaces, as in metadata.annotations["example.com/key"]`],
    });
  }
  return path;
}
