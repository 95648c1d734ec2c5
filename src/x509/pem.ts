/** One block of PEM text. */
export interface PemBlock {
  readonly type: string;
  /** Whether headers such as `Proc-Type: 4,ENCRYPTED` precede the contents. */
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

/** Blocks of a text, and the text after the last one. */
export interface PemText {
  readonly blocks: readonly PemBlock[];
  readonly rest: string;
}

/**
 * Returns the PEM blocks that Go finds: other text and broken blocks are skipped. Source: encoding/pem Decode, called until it finds no
 * more.
 */
export function readPem(text: string): PemText {
  const blocks: PemBlock[] = [];
  let rest = text;
  for (;;) {
    const found = rest === '' ? undefined : nextBlock(rest);
    if (found === undefined) return { blocks, rest };
    blocks.push(found.block);
    rest = found.rest;
  }
}

/** Returns DER bytes as a PEM block of this type. */
export function pemText(type: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.map(line => `${line}\n`).join('')}-----END ${type}-----\n`;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

/**
 * Returns the first complete block and the text after it. The first END line decides, and the last BEGIN line before it: a BEGIN without
 * an END is ignored. After a broken block the search continues after its END.
 */
function nextBlock(text: string): { block: PemBlock; rest: string } | undefined {
  let rest = text;
  for (;;) {
    const endAt = rest.indexOf(end);
    if (endAt < 0) return undefined;
    const behindEnd = rest.slice(endAt + end.length);
    const beginAt = rest.slice(0, endAt).lastIndexOf(begin);
    if (beginAt >= 0 && (beginAt === 0 || rest[beginAt - 1] === '\n')) {
      const read = readBlock(rest.slice(beginAt + begin.length), endAt - beginAt - begin.length);
      if (read === 'text ends') return undefined;
      if (read !== 'broken') return read;
    }
    rest = behindEnd;
  }
}

/** `text` starts after BEGIN; the line feed of the END line is at `endAt`. */
function readBlock(text: string, endAt: number): { block: PemBlock; rest: string } | 'broken' | 'text ends' {
  const typeLine = firstLine(text);
  if (!typeLine.line.endsWith(dashes)) return 'broken';
  const type = typeLine.line.slice(0, -dashes.length);
  let at = typeLine.next;
  let hasHeaders = false;
  for (;;) {
    if (at >= text.length) return 'text ends';
    const { line, next } = firstLine(text.slice(at));
    if (!line.includes(':')) break;
    hasHeaders = true;
    at += next;
  }
  if (hasHeaders && endAt < at) return endAt + end.length < at ? 'text ends' : 'broken';
  const trailer = text.slice(endAt + end.length);
  if (!trailer.startsWith(type + dashes) || firstLine(trailer.slice(type.length + dashes.length)).line !== '') return 'broken';
  const bytes = endAt > at ? decodeBase64(text.slice(at, endAt)) : new Uint8Array();
  if (bytes === undefined) return 'broken';
  const lastLine = text.slice(endAt + end.length - 1);
  return { block: { type, hasHeaders, bytes }, rest: lastLine.slice(firstLine(lastLine).next) };
}

/** Returns a line without its line end and trailing spaces, and the start of the next one. */
function firstLine(text: string): { line: string; next: number } {
  const feed = text.indexOf('\n');
  const line = feed < 0 ? text : text.slice(0, feed).replace(/\r$/, '');
  return { line: line.replace(/[ \t]+$/, ''), next: feed < 0 ? text.length : feed + 1 };
}

/** Strict except for white space: complete groups of four, padding at the end only. Source: encoding/base64 StdEncoding. */
function decodeBase64(text: string): Uint8Array | undefined {
  const compact = text.replace(/[ \t\r\n]/g, '');
  const groups = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  return groups.test(compact) ? new Uint8Array(Buffer.from(compact, 'base64')) : undefined;
}
