import { quoteByteString } from '../go/byte-string.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import type { ByteReader } from './byte-reader.js';
import { isEndOfStream, TransportError, unexpectedEndOfStream } from './transport-error.js';

/** Names and values as received, one character for each byte. */
export type Header = readonly (readonly [name: string, value: string])[];

export interface ResponseHead {
  readonly major: number;
  readonly minor: number;
  readonly statusCode: number;
  readonly header: Header;
}

/**
 * Reads a status line and a header by Go's rules, as lenient and as strict. Fails with a {@link TransportError}. Source: Go net/http
 * ReadResponse, net/textproto ReadMIMEHeader.
 */
export async function readResponseHead(reader: ByteReader): Promise<ResponseHead> {
  const line = await reader.readLine();
  if (line === undefined) throw orUnexpectedEnd(reader);
  const status = readStatusLine(line);
  return { ...status, header: await readHeader(reader) };
}

/**
 * Returns the same head if all of it is buffered and every line has the usual form; undefined for any other, which is read line by line. Memoized: the
 * responses of one second often have equal heads.
 */
export function bufferedHead(reader: ByteReader): ResponseHead | undefined {
  const buffered = reader.buffered();
  const end = buffered.indexOf(endOfHead);
  if (end < 0 || end > longestUsual || end + endOfHead.length > reader.left()) return undefined;
  const head = usualHead(buffered.toString('latin1', 0, end));
  if (head !== undefined) reader.discard(end + endOfHead.length);
  return head;
}

const endOfHead = Buffer.from('\r\n\r\n');
const longestUsual = 4_096;

const usualHead = memoizeStrings(20, (text): ResponseHead | undefined => {
  // Lines that end without a carriage return, and fields of several lines.
  if (/(?:^|[^\r])\n|\n[ \t]/.test(text)) return undefined;
  const [first = '', ...fields] = text.split('\r\n');
  if (!fields.every(field => field.includes(':'))) return undefined;
  try {
    return { ...readStatusLine(first), header: fields.map(field => readField(trim(field))) };
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
});

/** Returns the values of a header in order. A name with a space at its end is another name. */
export function headerValues(header: Header, name: string): readonly string[] {
  return header.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** Returns whether a comma-separated header contains a token in any case. Source: Go httpguts.HeaderValuesContainsToken. */
export function hasToken(header: Header, name: string, token: string): boolean {
  return headerValues(header, name).some(value => listed(token).test(value));
}

/** Every response is searched for the same few tokens. */
const listed = memoizeStrings(10, token => new RegExp(`(?:^|,)[ \\t]*${token}[ \\t]*(?:,|$)`, 'i'));

/** Removes spaces and tabs at both ends. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  // No regular expression: a long run of spaces would take quadratic time.
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function readStatusLine(line: string): Omit<ResponseHead, 'header'> {
  const space = line.indexOf(' ');
  if (space < 0) throw malformed('HTTP response', line);
  const version = line.slice(0, space);
  const [code = ''] = line.slice(space).replace(/^ +/, '').split(' ', 1);
  // Three characters that Go parses as a number: the first may be a sign.
  const statusCode = code.length === 3 && /^[+-]?\d+$/.test(code) ? Number(code) : -1;
  if (statusCode < 0) throw malformed('HTTP status code', code);
  const numbers = /^HTTP\/(\d)\.(\d)$/.exec(version);
  if (numbers === null) throw malformed('HTTP version', version);
  return { major: Number(numbers[1]), minor: Number(numbers[2]), statusCode };
}

function malformed(what: string, text: string): TransportError {
  return new TransportError('http', `malformed ${what} ${quoteByteString(text)}`);
}

/** Reads a header up to its empty line. Also reads the trailer of a chunked body. */
export async function readHeader(reader: ByteReader): Promise<Header> {
  const [first] = await reader.peek(1);
  if (isBlank(first)) {
    const line = await readRequiredLine(reader);
    if (line.length > 80) throw new TransportError('http', 'message too large');
    throw malformed('MIME header initial line:', line);
  }
  const header: [string, string][] = [];
  for (;;) {
    // Buffered lines are taken without waiting: there may be very many.
    const line = reader.bufferedLine() ?? (await readRequiredLine(reader));
    if (line === '') return header;
    if (!line.includes(':')) throw malformed('MIME header: missing colon:', line);
    if (header.length === maxFields) throw tooManyFields();
    const next = reader.buffered()[0] ?? (await reader.peek(1))[0];
    header.push(readField(isBlank(next) ? await readContinuedField(trim(line), reader) : trim(line)));
  }
}

/** Limit of this implementation: a field takes far more memory than the bytes that Go counts. */
const maxFields = 65_536;

function tooManyFields(): TransportError {
  return new TransportError('limit', `response header has more than ${maxFields} fields; kube-apiserver has no such limit`);
}

/** Joins the lines of one field with single spaces. */
async function readContinuedField(first: string, reader: ByteReader): Promise<string> {
  let field = first;
  while (await skipBlanks(reader)) {
    const next = reader.bufferedLine() ?? (await reader.readLine());
    field += ' ';
    if (next === undefined) break;
    field += trim(next);
  }
  return field;
}

async function skipBlanks(reader: ByteReader): Promise<boolean> {
  for (let some = false; ; some = true) {
    const buffered = reader.buffered();
    const blanks = leadingBlanks(buffered);
    reader.discard(blanks);
    if (blanks < buffered.length) return some || blanks > 0;
    if (!(await reader.fill())) return some || blanks > 0;
    some ||= blanks > 0;
  }
}

function leadingBlanks(bytes: Buffer): number {
  let count = 0;
  while (count < bytes.length && isBlank(bytes[count])) count += 1;
  return count;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

function readField(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  // Spaces in a name are tolerated, but such a name equals no other.
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) throw malformed('MIME header line:', line);
  return [name, value.replace(/^[ \t]+/, '')];
}

async function readRequiredLine(reader: ByteReader): Promise<string> {
  const line = await reader.readLine();
  if (line === undefined) throw orUnexpectedEnd(reader);
  return line;
}

/** Returns an unexpected end as an error. */
export function orUnexpectedEnd(reader: ByteReader): TransportError {
  const ending = reader.ending();
  return isEndOfStream(ending) ? unexpectedEndOfStream() : ending;
}
