import { memoizeStrings } from '../kubernetes/memoize.js';
import { isTooDeep } from '../kubernetes/too-deep.js';
import { redacted } from './marker.js';
import { isSecretName, isSecretValue } from './secret-names.js';
import { tokenRules } from './token-rules.js';

/**
 * Returns a text without the secrets that it shows by their form: credentials with the prefix of their issuer, JSON web tokens, private keys, Authorization
 * headers, passwords in URLs, and values assigned to telling names (`--token=X`, `password: X`), also in base64.
 */
export function textWithoutSecrets(text: string): string {
  if (text.length < minLength) return text;
  return text.length > maxRemembered ? search(text) : searchOnce(text);
}

/** Longer texts are seldom those of another object. */
const maxRemembered = 256;

/** Objects of one run have most of their texts in common. */
const searchOnce = memoizeStrings(4096, search);

function search(text: string): string {
  return searched(text, () => {
    const plain = withoutPlain(text);
    return base64.test(plain) ? plain.replace(base64Runs, blob => (hidesSecret(blob) ? redacted(blob) : blob)) : plain;
  });
}

/** Returns the result of a search for secrets in a text. V8 cannot match a word of several megabytes: such a text is redacted as a whole. */
export function searched(text: string, search: () => string): string {
  try {
    return search();
  } catch (error) {
    if (text.length < minLengthOfOverflow || !isTooDeep(error)) throw error;
    return redacted(text);
  }
}

const minLengthOfOverflow = 1 << 20;

/** Shorter texts show nothing. */
const minLength = 8;

function withoutPlain(text: string): string {
  let clean = keywordHint.test(text) ? withoutTokens(text) : text;
  if (formHint.test(clean)) {
    clean = clean
      .replace(webToken, redacted)
      .replace(privateKey, redacted)
      .replace(authorization, (_, scheme: string, token: string) => scheme + redacted(token));
  }
  if (!assignmentHint.test(clean)) return clean;
  return withoutAssignments(clean.replace(passwordInUrl, (_, before: string, password: string) => before + redacted(password)));
}

function withoutTokens(text: string): string {
  const lower = text.toLowerCase();
  return tokenRules.reduce(
    (clean, { keywords, pattern }) => (keywords.some(keyword => lower.includes(keyword)) ? clean.replace(pattern, withoutGroup) : clean),
    text,
  );
}

function withoutAssignments(text: string): string {
  const replace = (whole: string, before: string, name: string, between: string, value: string): string => {
    const [, quote = '', inner = value] = /^(["'])([\s\S]*)\1$/.exec(value) ?? [];
    if (/^<redacted(?: |$)/.test(inner)) return whole;
    if (!isLogin(name, inner) && !(isSecretName(name) && isSecretValue(name, inner))) return whole;
    return `${before}${name}${between}${quote}${redacted(inner)}${quote}`;
  };
  return text.replace(equation, replace).replace(memberLine, replace).replace(jsonMember, replace);
}

/** Is a member the user and password of a registry, as base64? */
export function isLogin(name: string, text: string): boolean {
  if (name !== 'auth' || !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) return false;
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(text, 'base64').toString('utf8'));
}

/** `--token=X`, `PASSWORD=X`, `?token=X`, `//registry/:_authToken=X` */
const equation = /((?:^|[\s"'`{,;&?([:])-{0,2})([A-Za-z_][\w.-]{0,60})(=)("[^"\n]*"|'[^'\n]*'|[^\s"'`;,&)\]}]+)/g;

/** A line of YAML or of a configuration file. */
const memberLine =
  /(^[ \t]*(?:- +)?["']?)([A-Za-z_][\w.-]{0,60})(["']?[ \t]*[:=][ \t]+|["']?:[ \t]*(?=["']))("[^"\n]*"|'[^'\n]*'|[^\s"'|>{[&*!%@`#][^\s]*)(?=[ \t]*(?:[ \t]#.*)?\r?$)/gm;

/** A member of JSON, also escaped as part of a longer text. */
const jsonMember = /(\\{0,8}")([A-Za-z_][\w.-]{0,60})(\\{0,8}"\s{0,8}:\s{0,8}\\{0,8}")([^"\\]+)(?=\\{0,8}")/g;

/** Replaces the first group of a match, or the whole match. */
function withoutGroup(match: string, ...rest: unknown[]): string {
  const [group] = rest;
  return typeof group === 'string' && group !== '' ? match.replace(group, () => redacted(group)) : redacted(match);
}

/** Quick tests: most texts contain none of these. */
const keywordHint = new RegExp(
  tokenRules
    .flatMap(({ keywords }) => keywords)
    .map(word => word.replaceAll('.', '\\.').replaceAll('$', '\\$'))
    .join('|'),
  'i',
);
const formHint = /eyJ|-----BEGIN|Bearer |Basic |uthorization/;
const assignmentHint = /[=:]/;
/** With limits, since a token can begin at every `eyJ` of a long word. */
const webToken = /\beyJ[\w-]{1,2000}\.[\w-]{1,100000}\.[\w-]{0,4000}/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;
const authorization =
  /((?:\b(?:Bearer|Basic)|[Aa]uthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|Token)) )([\w.~+/-]{8,}=*)/g;
const passwordInUrl = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)([^\s/@"'<>$]{3,200})(?=@)/gi;

/** Runs long enough for a secret with its name. */
const base64 = /[A-Za-z0-9+/]{24}/;
const base64Runs = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{24,}={0,2}(?![A-Za-z0-9+/=_-])/g;

/** Does a text in base64 contain a secret? Other runs of letters are not text when they are decoded. */
function hidesSecret(blob: string): boolean {
  if (blob.length % 4 !== 0) return false;
  const decoded = Buffer.from(blob, 'base64').toString('utf8');
  if (/[^\t\n\r\x20-\x7e\u00a0-\ud7ff]/.test(decoded.slice(0, 64))) return false;
  return withoutPlain(decoded) !== decoded;
}
