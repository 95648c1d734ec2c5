import { constructedContextTag, contextTag, cursorOver, tags } from './der.js';
import { readInt64, readObjectIdentifier } from './der-values.js';

/** Parameters of RSASSA-PSS, with the default trailer. */
export interface PssParameters {
  readonly hash: string;
  readonly maskFunction: string;
  readonly maskHash: string;
  readonly saltLength: bigint;
  readonly trailer: bigint;
}

/**
 * Parses the parameters as Go does, with its older and laxer reader: the lengths of explicit tags are not compared with their contents,
 * and trailing fields are ignored, but an empty element in place of the trailer is rejected. Returns undefined for rejected bytes, and for
 * hash parameters other than none or NULL. Source: encoding/asn1 parseField.
 */
export function readPssParameters(bytes: Uint8Array): PssParameters | undefined {
  const all = readField({ bytes, at: 0 }, tags.sequence);
  if (all === undefined) return undefined;
  const hash = readIdentifier(readExplicit(all, 0, tags.sequence));
  const mask = readIdentifier(readExplicit(all, 1, tags.sequence));
  const salt = integerIn(readExplicit(all, 2, tags.integer));
  const trailer = readTrailer(all);
  const maskHash = mask === undefined ? undefined : readIdentifier(readField({ bytes: mask.parameters, at: 0 }, tags.sequence));
  if (hash === undefined || mask === undefined || maskHash === undefined || salt === undefined || trailer === undefined) return undefined;
  if (![hash, maskHash].every(({ parameters }) => isAbsentOrNull(parameters))) return undefined;
  return { hash: hash.algorithm, maskFunction: mask.algorithm, maskHash: maskHash.algorithm, saltLength: salt, trailer };
}

/** Position of the reader; unlike DerCursor it does not advance if a read fails. */
interface ReadPosition {
  readonly bytes: Uint8Array;
  at: number;
}

interface Header {
  readonly tag: number;
  readonly start: number;
  readonly length: number;
}

function readHeader({ bytes }: ReadPosition, at: number): Header | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  if (first < 0x80) return { tag, start: at + 2, length: first };
  const octets = bytes.subarray(at + 2, at + 2 + (first & 0x7f));
  const length = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  if (octets.length === 0 || octets.length !== (first & 0x7f) || octets[0] === 0 || length < 0x80) return undefined;
  return { tag, start: at + 2 + octets.length, length };
}

/** Returns the contents of an element of this type and continues after it. */
function readField(place: ReadPosition, tag: number): ReadPosition | undefined {
  return contentsOf(place, readHeader(place, place.at), tag);
}

/** Returns the contents of an element of this type inside an explicit tag and continues after the inner element. */
function readExplicit(place: ReadPosition, n: number, tag: number): ReadPosition | undefined {
  const outer = readHeader(place, place.at);
  if (outer === undefined || outer.tag !== constructedContextTag(n) || outer.length === 0) return undefined;
  return contentsOf(place, readHeader(place, outer.start), tag);
}

function contentsOf(place: ReadPosition, header: Header | undefined, tag: number): ReadPosition | undefined {
  if (header === undefined || header.tag !== tag || header.start + header.length > place.bytes.length) return undefined;
  place.at = header.start + header.length;
  return { bytes: place.bytes.subarray(header.start, place.at), at: 0 };
}

function readTrailer(place: ReadPosition): bigint | undefined {
  if (place.at === place.bytes.length) return 1n;
  const next = readHeader(place, place.at);
  if (next === undefined || next.start === place.bytes.length) return undefined;
  if ((next.tag & ~0x20) === contextTag(3) && next.length === 0) return undefined;
  if (next.tag !== constructedContextTag(3)) return 1n;
  // An explicit tag around anything but an integer counts as a missing trailer.
  const inner = readHeader(place, next.start);
  if (inner === undefined || inner.tag !== tags.integer) return inner === undefined ? undefined : 1n;
  return integerIn(contentsOf(place, inner, tags.integer));
}

function integerIn(contents: ReadPosition | undefined): bigint | undefined {
  if (contents === undefined) return undefined;
  const { bytes } = contents;
  return bytes.length > 8 ? undefined : readInt64(cursorOver(Uint8Array.from([tags.integer, bytes.length, ...bytes])));
}

function readIdentifier(place: ReadPosition | undefined): { algorithm: string; parameters: Uint8Array } | undefined {
  const contents = place === undefined ? undefined : readField(place, tags.objectIdentifier)?.bytes;
  if (place === undefined || contents === undefined || contents.length > 127) return undefined;
  const algorithm = readObjectIdentifier(cursorOver(Uint8Array.from([tags.objectIdentifier, contents.length, ...contents])));
  if (algorithm === undefined) return undefined;
  if (place.at === place.bytes.length) return { algorithm, parameters: new Uint8Array() };
  const header = readHeader(place, place.at);
  const end = header === undefined ? Number.POSITIVE_INFINITY : header.start + header.length;
  return end > place.bytes.length ? undefined : { algorithm, parameters: place.bytes.subarray(place.at, end) };
}

function isAbsentOrNull(parameters: Uint8Array): boolean {
  return parameters.length === 0 || (parameters.length === 2 && parameters[0] === tags.null && parameters[1] === 0);
}
