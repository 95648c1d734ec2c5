import type { RuleSchema } from '../../../../cel/schema/rule-schema.js';
import { ownMember } from '../../../../go/own-members.js';
import { childPath, keyPath } from '../../../../kubernetes/field-path.js';
import { AbortedConnection } from '../../../../kubernetes/status.js';

/** Path of a field and its schema, which `additionalProperties: true` does not have. */
interface FoundField {
  readonly field: string;
  readonly schema: RuleSchema | undefined;
}

/** Parsed fieldPath of a rule, or its error. */
export type RuleFieldPath = FoundField | { readonly error: string };

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\' };

/**
 * Resolves `.spec.containers['a.b']` in a schema; list items cannot be addressed. Throws AbortedConnection for a path below a field without a schema. Source:
 * apiextensions-apiserver schema/cel/validation.go ValidFieldPath.
 */
export function ruleFieldPath(
  path: string,
  schema: RuleSchema | undefined,
  options: { readonly brackets: boolean } = { brackets: true },
): RuleFieldPath {
  const tokens = tokensOf(path);
  let at: FoundField = { field: '', schema };
  while (tokens.length > 0) {
    const step = nextStep(tokens, options.brackets);
    if ('error' in step) return step;
    const next = followed(at, step.name);
    if (next === undefined) return { error: 'does not refer to a valid field' };
    at = next;
    if (!step.closes) continue;
    const end = tokens.shift();
    if (end !== ']') return { error: end === undefined ? tooShort : `expected ] but got ${end}` };
  }
  return at;
}

const tooShort = 'unexpected end of JSON path';

/** Splits a path into tokens: dots and brackets are separate ones; a quoted one extends to the next quote. */
function tokensOf(path: string): string[] {
  return path.match(/'(?:[^']|(?<=\\)')*(?<!\\)'|'[\s\S]*|[.[\]]|[^.[\]]+/g) ?? [];
}

function nextStep(tokens: string[], brackets: boolean): { readonly name: string; readonly closes: boolean } | { readonly error: string } {
  const [delimiter = '', token] = tokens.splice(0, 2);
  if (delimiter !== '.' && delimiter !== '[') return { error: `expected [ or . but got: ${delimiter}` };
  if (delimiter === '[' && !brackets) return { error: 'array notation is not allowed' };
  if (token === undefined) return { error: tooShort };
  if (delimiter === '.') return { name: token, closes: false };
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
    return { error: `expected single quoted string but got ${token}` };
  let wrong: string | undefined;
  const name = token.slice(1, -1).replace(/\\./g, found => {
    const meant = ownMember(escapes, found.charAt(1));
    if (meant === undefined) wrong = found;
    return meant ?? '';
  });
  return wrong === undefined ? { name, closes: true } : { error: `invalid string literal: invalid escape char ${wrong}` };
}

function followed({ field, schema }: FoundField, name: string): FoundField | undefined {
  if (schema === undefined) throw new AbortedConnection('a path leads below a field without a schema');
  if (schema.properties.size > 0) {
    const member = schema.properties.get(name);
    return member === undefined ? undefined : { field: childPath(field, name), schema: member };
  }
  const others = schema.additionalProperties;
  return others === undefined ? undefined : { field: keyPath(field, name), schema: typeof others === 'object' ? others : undefined };
}
