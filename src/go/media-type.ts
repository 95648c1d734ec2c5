import { trimLeftSpace, trimSpace } from './white-space.js';

/** Parsed Content-Type; type and parameter names in lower case. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Not a valid media type; the message is Go's. */
export class MediaTypeError extends Error {
  override readonly name = 'MediaTypeError';
  /** Type before an invalid parameter; otherwise empty. */
  readonly type: string;

  constructor(message: string, type = '') {
    super(`mime: ${message}`);
    this.type = type;
  }
}

/**
 * Parses a media type with its parameters, including continued and encoded ones (RFC 2231). Throws MediaTypeError. Source: Go
 * mime.ParseMediaType.
 */
export function parseMediaType(text: string): MediaType {
  const base = text.split(';', 1)[0] ?? '';
  const type = trimSpace(lowerCase(base));
  checkType(type);
  const parameters = new Map<string, string>();
  const pieces = new Map<string, Map<string, string>>();
  let rest = trimLeftSpace(text.slice(base.length));
  while (rest !== '') {
    const parameter = takeParameter(rest);
    if (parameter === undefined) {
      if (trimSpace(rest) === ';') break;
      throw new MediaTypeError('invalid media parameter', type);
    }
    const { name, value } = parameter;
    const star = name.indexOf('*');
    const into = star < 0 ? parameters : piecesOf(pieces, name.slice(0, star));
    const other = into.get(name);
    if (other !== undefined && other !== value) throw new MediaTypeError('duplicate parameter name');
    into.set(name, value);
    rest = trimLeftSpace(parameter.rest);
  }
  for (const [name, map] of pieces) {
    const value = joined(name, map);
    if (value !== undefined) parameters.set(name, value);
  }
  return { type, parameters };
}

const token = /^[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]+/;

function checkType(type: string): void {
  const first = token.exec(type)?.[0];
  if (first === undefined) throw new MediaTypeError('no media type');
  const afterFirst = type.slice(first.length);
  if (afterFirst === '') return;
  if (!afterFirst.startsWith('/')) throw new MediaTypeError('expected slash after first token');
  const second = token.exec(afterFirst.slice(1))?.[0];
  if (second === undefined) throw new MediaTypeError('expected token after slash');
  if (afterFirst.length > second.length + 1) throw new MediaTypeError('unexpected content after media subtype');
}

function takeParameter(text: string): { name: string; value: string; rest: string } | undefined {
  if (!text.startsWith(';')) return undefined;
  const named = trimLeftSpace(text.slice(1));
  const name = token.exec(named)?.[0];
  if (name === undefined) return undefined;
  const equals = trimLeftSpace(named.slice(name.length));
  if (!equals.startsWith('=')) return undefined;
  const value = takeValue(trimLeftSpace(equals.slice(1)));
  return value && { name: name.toLowerCase(), ...value };
}

/** Takes a token or a quoted text; undefined if there is neither. */
function takeValue(text: string): { value: string; rest: string } | undefined {
  if (!text.startsWith('"')) {
    const value = token.exec(text)?.[0];
    return value === undefined ? undefined : { value, rest: text.slice(value.length) };
  }
  let value = '';
  for (let i = 1; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (character === '"') return { value, rest: text.slice(i + 1) };
    if (character === '\r' || character === '\n') return undefined;
    const next = text.charAt(i + 1);
    // A backslash before any other character stays: Windows file names.
    if (character === '\\' && next !== '' && '()<>@,;:\\"/[]?='.includes(next)) {
      value += next;
      i += 1;
    } else value += character;
  }
  return undefined;
}

function piecesOf(all: Map<string, Map<string, string>>, name: string): Map<string, string> {
  const found = all.get(name) ?? new Map<string, string>();
  all.set(name, found);
  return found;
}

/** Joins `name*`, or `name*0`, `name*1*` and so on; undefined if they make no value. */
function joined(name: string, pieces: ReadonlyMap<string, string>): string | undefined {
  const single = pieces.get(`${name}*`);
  if (single !== undefined) return decodeExtended(single);
  let out: string | undefined;
  for (let n = 0; ; n += 1) {
    const plain = pieces.get(`${name}*${n}`);
    const encoded = pieces.get(`${name}*${n}*`);
    if (plain !== undefined) out = (out ?? '') + plain;
    else if (encoded !== undefined) out = (out ?? '') + ((n === 0 ? decodeExtended(encoded) : unescapePercent(encoded)) ?? '');
    else return out;
  }
}

/** Decodes `utf-8'en'a%20b`; undefined for another character set or an invalid escape. */
function decodeExtended(text: string): string | undefined {
  const [charset = '', language, ...rest] = text.split("'");
  if (language === undefined || rest.length === 0) return undefined;
  return ['us-ascii', 'utf-8'].includes(charset.toLowerCase()) ? unescapePercent(rest.join("'")) : undefined;
}

function unescapePercent(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const bytes = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, escapes => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'));
  return bytes;
}

/** Go maps single characters; JavaScript maps a capital I with a dot to two. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}
