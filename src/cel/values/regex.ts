import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { lazy, memoizeStrings } from '../../kubernetes/memoize.js';
import { type CelValue, celError } from './value.js';

/** A compiled pattern in Go's syntax, or Go's error message. */
export type Pattern = { readonly regex: RE2JS } | { readonly error: string };

/** Compiles a pattern; the library is loaded on first use. Source: Go regexp, which follows RE2. */
export const compilePattern: (pattern: string) => Pattern = memoizeStrings(1000, pattern => compile(pattern));

/** Returns a pattern that is known to be valid. Throws for an invalid one. */
export function regexOf(pattern: string): RE2JS {
  const made = compilePattern(pattern);
  if ('error' in made) throw new Error(`invalid pattern ${JSON.stringify(pattern)}: ${made.error}`);
  return made.regex;
}

/** Reports whether the pattern occurs in the text. */
export function matchesRegex(text: string, pattern: string): CelValue {
  const made = compilePattern(pattern);
  return 'error' in made ? celError(made.error) : made.regex.test(text);
}

/** The first match; an empty string when there is none. */
export function findFirst(regex: RE2JS, text: string): string {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/**
 * All matches that do not overlap, at most `limit` (-1 for all). An empty match directly after another match is ignored. Source: Go
 * regexp.FindAllString.
 */
export function findEvery(regex: RE2JS, text: string, limit: number): string[] {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  let previousEnd = -1;
  let at = 0;
  while (at <= text.length && (limit < 0 || found.length < limit) && matcher.find(at)) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start || start !== previousEnd) found.push(text.slice(start, end));
    previousEnd = end;
    at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

const library = lazy(() => (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS);

function compile(pattern: string): Pattern {
  try {
    return { regex: library().compile(pattern) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Go allows duplicate group names; groups are never accessed by name here.
    if (message.includes('duplicate capture group name')) return compile(pattern.replace(namedGroup, '$1('));
    return { error: message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message };
  }
}

const namedGroup = /((?:^|[^\\])(?:\\\\)*)\(\?P?<\w+>/g;
