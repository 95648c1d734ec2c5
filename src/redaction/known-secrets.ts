import { isList, isMap, mapAt, stringAt, type Value } from '../go/value.js';
import { isRedacted, marker, redacted } from './marker.js';
import { jsonWithoutSecretsOf, withoutSecrets } from './secrets.js';
import { searched } from './text-secrets.js';

/** Replaces secrets, known by their text, in any text. */
export type HideKnown = (text: string) => string;

/** Shorter values are too common to be recognized by their text. */
const minLength = 6;

/**
 * Returns a function that redacts, wherever they occur, the texts that were redacted in a review: in a message, an annotation, a header.
 * Texts that also name the object or the user are not secrets: the data of a token's Secret has its namespace.
 */
export function knownSecrets(pairs: readonly (readonly [original: Value, clean: Value])[], review: Value | undefined): HideKnown {
  const texts = new Set<string>();
  for (const [original, clean] of pairs) collect(original, clean, texts);
  for (const name of namesIn(review)) texts.delete(name);
  const known = [...texts].filter(isDistinctive).sort((a, b) => b.length - a.length);
  if (known.length === 0) return text => text;
  const hide: HideKnown = text => known.reduce((rest, secret) => rest.replaceAll(secret, () => redacted(secret)), text);
  return text => searched(text, () => hide(text).replace(base64Runs, blob => (containsKnown(blob, hide) ? redacted(blob) : blob)));
}

/** Words of messages, which values of examples are. */
const common = new Set(['password', 'secret', 'token', 'default', 'redacted', 'sha256', 'changeme', 'example', 'string', 'object']);

function isDistinctive(text: string): boolean {
  return text.length >= minLength && !isRedacted(text) && !common.has(text);
}

const base64Runs = /[A-Za-z0-9+/]{12,}={0,2}/g;

/** Is a secret part of a longer text in base64, where its own form in base64 need not occur? */
function containsKnown(blob: string, hide: HideKnown): boolean {
  const decoded = textIn(Buffer.from(blob, 'base64'));
  return decoded !== undefined && hide(decoded) !== decoded;
}

function collect(original: Value | undefined, clean: Value | undefined, texts: Set<string>): void {
  if (original === clean || original === undefined) return;
  if (typeof original === 'string') {
    for (const secret of typeof clean === 'string' ? removedParts(original, clean) : [original])
      for (const form of formsOf(secret)) texts.add(form);
  } else if (isMap(original)) {
    for (const [key, member] of original) collect(member, isMap(clean) ? clean.get(key) : null, texts);
  } else if (isList(original)) {
    for (const [i, item] of original.entries()) collect(item, isList(clean) ? clean[i] : null, texts);
  }
}

/** Returns the parts of a text that markers replace in the redacted text. */
function removedParts(original: string, clean: string): string[] {
  const nested = /^\s*[[{]/.test(original) ? jsonWithoutSecretsOf(original) : undefined;
  if (nested !== undefined && nested !== null) {
    const texts = new Set<string>();
    collect(nested, jsonWithoutSecretsOf(clean) ?? null, texts);
    return [...texts];
  }
  const kept = clean.split(marker);
  let at = 0;
  return kept.flatMap((part, i) => {
    const from = at;
    const found = i === kept.length - 1 ? original.length - part.length : original.indexOf(part, i === 0 ? 0 : from + 1);
    at = (found < 0 ? original.length : found) + part.length;
    return i === 0 ? [] : [original.slice(from, Math.max(from, found))];
  });
}

/** The text, its base64-decoded content, and both as escaped in JSON. */
function formsOf(secret: string): string[] {
  const decoded = /^[A-Za-z0-9+/]{4,}={0,2}$/.test(secret) && secret.length % 4 === 0 ? textIn(Buffer.from(secret, 'base64')) : undefined;
  const credentials = /^(?:Bearer|Basic) +(.+)$/i.exec(secret)?.[1] ?? secret;
  const plain = [secret, secret.trim(), credentials, ...(decoded === undefined ? [] : [decoded, decoded.trim()])];
  return [...plain, ...partsOf(decoded ?? '')].flatMap(text => [
    text,
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64'),
  ]);
}

/** Secrets in a decoded text, which a webhook may have read from it: the password of a login, members of JSON. */
function partsOf(decoded: string): string[] {
  if (/^\s*[[{]/.test(decoded)) {
    const texts = new Set<string>();
    const nested = jsonWithoutSecretsOf(decoded);
    if (nested !== undefined) collect(nested, withoutSecrets(nested), texts);
    return [...texts];
  }
  const [, password] = /^[\x21-\x39\x3b-\x7e]+:([\x20-\x7e]+)$/.exec(decoded) ?? [];
  return password === undefined ? [] : [password];
}

function textIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') || text === '' ? undefined : text;
}

function namesIn(review: Value | undefined): string[] {
  const request = mapAt(review, 'request');
  const objects = [mapAt(request, 'object'), mapAt(request, 'oldObject')];
  return [
    ...['name', 'namespace'].map(key => stringAt(request, key)),
    ...objects.flatMap(object => ['name', 'namespace', 'generateName'].map(key => stringAt(object, 'metadata', key))),
    ...objects.map(object => stringAt(object, 'type')),
    stringAt(request, 'userInfo', 'username'),
    stringAt(request, 'userInfo', 'uid'),
    ...textsIn(mapAt(request, 'userInfo')?.get('groups')),
  ];
}

function textsIn(value: Value | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isMap(value) ? [...value.values()].flatMap(textsIn) : [];
}
