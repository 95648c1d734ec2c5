import type { Look } from './session.js';

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Masks times and random values; uids and resource versions are numbered by their first occurrence in a session. */
export function newMask(): (text: string) => string {
  const seen = new Map<string, string>();
  const numbered = (kind: string, value: string): string => {
    const key = `${kind} ${value}`;
    const count = [...seen.keys()].filter(known => known.startsWith(`${kind} `)).length;
    seen.set(key, seen.get(key) ?? `<${kind} ${count + 1}>`);
    return seen.get(key) ?? '';
  };
  return text =>
    rules
      .reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
      .replace(
        /("cells":\s*\[)(.*?)(\],\s*"object")/gs,
        (_, a: string, b: string, c: string) => a + b.replace(/"\d+[smhdy](\d+[smhdy])?"/g, '"<age>"') + c,
      )
      .replace(uid, found => numbered('uid', found))
      .replace(/("?resourceVersion"?:\s?")([1-9]\d*)"/g, (_, before: string, version: string) => `${before}${numbered('rv', version)}"`);
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/("continue":\s*")[\w+/=-]+"/g, '$1<continue>"'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, '<microtime>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/("metadata":\s*\{\s*(?:"continue":\s?"[^"]*",\s*)?(?:"remainingItemCount":\s?\d+,\s*)?"resourceVersion":\s?")[1-9]\d*"/g, '$1<rv>"'],
  [/((?:ResourceVersion in|resourceVersion in) (?:precondition|record) \()[1-9]\d*\)/g, '$1<rv>)'],
  [/(resourceVersion\\+":\s?\\+")[1-9]\d*(?=\\)/g, '$1<rv>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}:\d{4,5}\b/g, '<address>'],
  [/([Tt]oo large resource version: )\d+(, current: )\d+/g, '$1<rv>$2<rv>'],
  [/(ResourceVersion in (?:precondition|object meta): )\d+/g, '$1<rv>'],
  [/\b10\.0\.\d{1,3}\.\d{1,3}\b/g, '<ip>'],
  [/("nodePort":\s?|:)3[0-2]\d{3}\b/g, '$1<port>'],
  [/(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g, '<random>'],
  [/("(?:gitCommit|gitTreeState|buildDate|goVersion|compiler|platform)":\s*")[^"]*"/g, '$1<build>"'],
];

/** Returns a body for comparison: parsed JSON, sorted managed fields. */
export function comparable(text: string): unknown {
  try {
    return sortedManagers(JSON.parse(text));
  } catch {
    return text;
  }
}

function sortedManagers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedManagers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const inner = sortedManagers(member);
    return [key, key === 'managedFields' && Array.isArray(inner) ? [...inner].sort(byText) : inner] as const;
  });
  return Object.fromEntries(entries);
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Returns the selected part of a body. */
export function lookAt(text: string, look: Look): unknown {
  if ('has' in look) return new RegExp(look.has, 'm').test(text);
  try {
    if ('keys' in look)
      return Object.keys(pointed(JSON.parse(text), look.keys) as object)
        .filter(key => new RegExp(look.like ?? '').test(key))
        .sort();
    return pointed(JSON.parse(text), look.value) ?? null;
  } catch {
    return null;
  }
}

/** The value at a JSON pointer. */
export function pointed(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
}
