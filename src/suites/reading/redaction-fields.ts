import { isMap } from '../../go/value.js';
import type { Redaction } from '../suite.js';
import { type Field, items, member, members, textOf, unexpected } from './field.js';
import { readFieldPath, readPattern } from './matchers.js';

/** What is not to be looked at in snapshots: paths, `{path, as}`, `{matches, as}`. Throws InvalidSuite. */
export function readRedactions(field: Field | undefined): Redaction[] {
  return field === undefined ? [] : items(field).map(readRedaction);
}

const redacted = '<redacted>';

function readRedaction(field: Field): Redaction {
  if (!isMap(field.value)) return { path: readFieldPath(field), as: redacted };
  members(field, ['path', 'matches', 'as']);
  const [path, matches, replacement] = [member(field, 'path'), member(field, 'matches'), member(field, 'as')];
  const as = replacement === undefined ? redacted : textOf(replacement);
  if (path !== undefined && matches === undefined) return { path: readFieldPath(path), as };
  if (matches !== undefined && path === undefined) return { pattern: readPattern(matches), as };
  throw unexpected(field, 'a map with either path or matches');
}
