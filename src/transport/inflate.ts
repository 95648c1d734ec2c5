/** Invalid DEFLATE data; `offset` bytes had been read. */
export class CorruptInput extends Error {
  override readonly name = 'CorruptInput';

  constructor(readonly offset: number) {
    super(`flate: corrupt input before offset ${offset}`);
  }
}

/** The data ends before the last block. */
export class TruncatedInput extends Error {
  override readonly name = 'TruncatedInput';
}

/** The output exceeds the limit. */
export class OutputLimit extends Error {
  override readonly name = 'OutputLimit';
}

export interface Inflated {
  readonly output: Buffer;
  /** Bytes of the input that belong to the stream. */
  readonly length: number;
}

/**
 * Unpacks a DEFLATE stream at the start of `input`. Reads byte by byte like Go, so that errors have Go's offset, which zlib does not
 * report. Fails with {@link CorruptInput}, {@link TruncatedInput} or, after `maxBytes`, {@link OutputLimit}. Source: RFC 1951; Go
 * compress/flate.
 */
export function inflate(input: Uint8Array, maxBytes: number): Inflated {
  const stream: Stream = { input, offset: 0, bits: 0, count: 0, output: Buffer.alloc(Math.min(maxBytes, firstOutput)), size: 0, maxBytes };
  for (let last = false; !last; ) {
    need(stream, 3);
    last = take(stream, 1) === 1;
    const type = take(stream, 2);
    if (type === 0) copyStored(stream);
    else if (type === 1) decodeBlock(stream, fixedTables);
    else if (type === 2) decodeBlock(stream, readTables(stream));
    else throw new CorruptInput(stream.offset);
  }
  const output = stream.output.subarray(0, stream.size);
  // A small output must not keep a large buffer alive.
  return { output: 2 * stream.size < stream.output.length ? Buffer.from(output) : output, length: stream.offset };
}

/** Initial size of the output: many responses are small, and doubling is cheap. */
const firstOutput = 1_024;

interface Stream {
  readonly input: Uint8Array;
  offset: number;
  /** Bits read but not used yet, the next one lowest. */
  bits: number;
  count: number;
  output: Buffer;
  size: number;
  readonly maxBytes: number;
}

function need(stream: Stream, count: number): void {
  while (stream.count < count) {
    const byte = stream.input[stream.offset];
    if (byte === undefined) throw new TruncatedInput();
    stream.offset += 1;
    stream.bits |= byte << stream.count;
    stream.count += 8;
  }
}

/** Takes buffered bits. */
function take(stream: Stream, count: number): number {
  const value = stream.bits & ((1 << count) - 1);
  stream.bits >>>= count;
  stream.count -= count;
  return value;
}

function read(stream: Stream, count: number): number {
  need(stream, count);
  return take(stream, count);
}

function copyStored(stream: Stream): void {
  stream.bits = 0;
  stream.count = 0;
  const { input, offset } = stream;
  if (offset + 4 > input.length) throw new TruncatedInput();
  const length = (input[offset] ?? 0) | ((input[offset + 1] ?? 0) << 8);
  const complement = (input[offset + 2] ?? 0) | ((input[offset + 3] ?? 0) << 8);
  stream.offset += 4;
  if (length !== (~complement & 0xffff)) throw new CorruptInput(stream.offset);
  const data = input.subarray(stream.offset, stream.offset + length);
  reserve(stream, data.length);
  stream.output.set(data, stream.size);
  stream.size += data.length;
  stream.offset += data.length;
  if (data.length < length) throw new TruncatedInput();
}

function reserve(stream: Stream, more: number): void {
  const wanted = stream.size + more;
  if (wanted > stream.maxBytes) throw new OutputLimit();
  if (wanted <= stream.output.length) return;
  const larger = Buffer.alloc(Math.min(stream.maxBytes, Math.max(wanted, 2 * stream.output.length)));
  stream.output.copy(larger, 0, 0, stream.size);
  stream.output = larger;
}

/** Codes by their first bits: symbol times 16 plus length; 0 for none. */
interface Table {
  readonly entries: Uint16Array;
  readonly mask: number;
  /** Min bits of a symbol. */
  readonly least: number;
}

interface Tables {
  readonly literals: Table;
  /** Undefined: five bits, the highest first. */
  readonly distances: Table | undefined;
}

/** Returns the table of a code; undefined for an incomplete code. A single code of one bit, or none at all, is accepted. */
function tableOf(lengths: readonly number[]): Table | undefined {
  const used = lengths.filter(length => length > 0);
  if (used.length === 0) return { entries: new Uint16Array(1), mask: 0, least: 0 };
  const least = Math.min(...used);
  const longest = Math.max(...used);
  const next: number[] = [];
  let code = 0;
  for (let length = least; length <= longest; length += 1) {
    code <<= 1;
    next[length] = code;
    code += used.filter(each => each === length).length;
  }
  if (code !== 1 << longest && !(code === 1 && longest === 1)) return undefined;
  const entries = new Uint16Array(1 << longest);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const own = next[length] ?? 0;
    next[length] = own + 1;
    for (let at = reversed(own, length); at < entries.length; at += 1 << length) entries[at] = (symbol << 4) | length;
  }
  return { entries, mask: entries.length - 1, least };
}

function reversed(code: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit += 1) out |= ((code >> bit) & 1) << (length - 1 - bit);
  return out;
}

function symbol(stream: Stream, table: Table): number {
  let wanted = table.least;
  for (;;) {
    need(stream, wanted);
    // Missing bits count as zeros: the length found is never too long.
    const entry = table.entries[stream.bits & table.mask] ?? 0;
    wanted = entry & 15;
    if (wanted > stream.count) continue;
    if (wanted === 0) throw new CorruptInput(stream.offset);
    take(stream, wanted);
    return entry >> 4;
  }
}

const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const endOfBlock = 256;

function readTables(stream: Stream): Tables {
  need(stream, 14);
  const literals = take(stream, 5) + 257;
  if (literals > 286) throw new CorruptInput(stream.offset);
  const distances = take(stream, 5) + 1;
  if (distances > 30) throw new CorruptInput(stream.offset);
  const lengths = readLengths(stream, literals + distances, take(stream, 4) + 4);
  const literalTable = tableOf(lengths.slice(0, literals));
  const distanceTable = tableOf(lengths.slice(literals));
  if (literalTable === undefined || distanceTable === undefined) throw new CorruptInput(stream.offset);
  // Every block ends with this symbol: that many bits may be read without reading too far.
  const least = Math.max(literalTable.least, lengths[endOfBlock] ?? 0);
  return { literals: { ...literalTable, least }, distances: distanceTable };
}

function readLengths(stream: Stream, total: number, codes: number): number[] {
  const codeLengths = new Array<number>(lengthOrder.length).fill(0);
  for (const place of lengthOrder.slice(0, codes)) codeLengths[place] = read(stream, 3);
  const table = tableOf(codeLengths);
  if (table === undefined) throw new CorruptInput(stream.offset);
  const lengths: number[] = [];
  while (lengths.length < total) {
    const code = symbol(stream, table);
    if (code < 16) {
      lengths.push(code);
      continue;
    }
    const previous = lengths.at(-1);
    if (code === 16 && previous === undefined) throw new CorruptInput(stream.offset);
    const repeat = code === 16 ? 3 + read(stream, 2) : code === 17 ? 3 + read(stream, 3) : 11 + read(stream, 7);
    if (lengths.length + repeat > total) throw new CorruptInput(stream.offset);
    for (let each = 0; each < repeat; each += 1) lengths.push(code === 16 ? (previous ?? 0) : 0);
  }
  return lengths;
}

function decodeBlock(stream: Stream, { literals, distances }: Tables): void {
  for (;;) {
    const code = symbol(stream, literals);
    if (code === endOfBlock) return;
    if (code < endOfBlock) {
      reserve(stream, 1);
      stream.output[stream.size] = code;
      stream.size += 1;
      continue;
    }
    const length = matchLength(stream, code);
    const distance = matchDistance(stream, distances === undefined ? reversed(read(stream, 5), 5) : symbol(stream, distances));
    if (distance > Math.min(stream.size, 32_768)) throw new CorruptInput(stream.offset);
    reserve(stream, length);
    for (let each = 0; each < length; each += 1) stream.output[stream.size + each] = stream.output[stream.size + each - distance] ?? 0;
    stream.size += length;
  }
}

function matchLength(stream: Stream, code: number): number {
  if (code < 265) return code - 254;
  if (code === 285) return 258;
  if (code > 285) throw new CorruptInput(stream.offset);
  const extra = (code - 261) >> 2;
  return 3 + ((4 + ((code - 261) & 3)) << extra) + read(stream, extra);
}

function matchDistance(stream: Stream, code: number): number {
  if (code < 4) return code + 1;
  if (code > 29) throw new CorruptInput(stream.offset);
  const extra = (code - 2) >> 1;
  return 1 + ((2 + (code & 1)) << extra) + read(stream, extra);
}

const fixedTables: Tables = {
  literals: tableOf([
    ...new Array<number>(144).fill(8),
    ...new Array<number>(112).fill(9),
    ...new Array<number>(24).fill(7),
    ...new Array<number>(8).fill(8),
  ]) ?? { entries: new Uint16Array(1), mask: 0, least: 0 },
  distances: undefined,
};
