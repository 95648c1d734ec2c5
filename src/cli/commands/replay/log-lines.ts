import { accessSync, closeSync, constants, createReadStream, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { onceValue } from '../../../go/once.js';
import type { EventPlace } from '../../../replay/logged-event.js';
import { turnEvery } from '../../shell/idle-turns.js';
import type { InputStream, Surroundings } from '../../shell/surroundings.js';
import { checkDecompression, decompressChunks, startOf } from './decompression.js';
import { joinJsonDocuments, type Line } from './json-documents.js';

/** A line of the input. */
export interface LogLine extends EventPlace {
  readonly text: string;
  /** Why the line, or the rest of the file from it on, cannot be read; undefined for one that was read. */
  readonly broken: string | undefined;
  /** Bytes of the input up to the end of this line, compressed ones as they are in the file. */
  readonly bytes: number;
}

/** Longest line; no event is longer. The API server's own limit for an object is 3 MiB. */
const [maxLineBytes, tooLong] = [64 * 1024 * 1024, 'longer than 64 MiB'];

/** Bytes at the start of a file in which the first event's time is looked for. */
const peekedBytes = 256 * 1024;

/** Time after which signals are handled. */
const maxBusyMs = 100;

/**
 * Reads the lines of files, folders (with everything in them) and `-`, one file after another, compressed ones too. The files of a folder are read in the
 * order of their first events, so that rotated logs are in order whatever their names. A file that is cut off, damaged or gone when it is read ends with a
 * broken line. Throws CliError, before the first line, for a path that cannot be read.
 */
export async function* readLogLines(paths: readonly string[], surroundings: Pick<Surroundings, 'cwd' | 'stdin'>): AsyncGenerator<LogLine> {
  let before = 0;
  const turn = turnEvery(maxBusyMs);
  for (const source of paths.flatMap(given => filesOf(given, surroundings.cwd))) {
    let read = 0;
    const chunks =
      source === '-'
        ? readStdinChunks(surroundings)
        : createReadStream(path.resolve(surroundings.cwd, source), { highWaterMark: 1024 * 1024 });
    const counted = countBytes(chunks, bytes => {
      read += bytes;
    });
    const name = source === '-' ? 'STDIN' : source;
    let last = 0;
    try {
      for await (const { text, line } of joinJsonDocuments(splitLines(await decompressChunks(counted, source)), maxLineBytes)) {
        last = line;
        // A megabyte of lines that are not events can take a second, and signals wait until then.
        const waiting = turn();
        if (waiting !== undefined) await waiting;
        yield { source: name, line, text: text ?? '', broken: text === undefined ? tooLong : undefined, bytes: before + read };
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      yield {
        ...{ source: name, line: last + 1, text: '', bytes: before + read },
        broken: `the file cannot be read from here on: ${systemReason(error)}`,
      };
    }
    before += read;
  }
}

/** Returns the bytes of all files; undefined when stdin is among them. */
export function bytesOfLogs(paths: readonly string[], cwd: string): number | undefined {
  if (paths.includes('-')) return undefined;
  return paths.flatMap(given => filesOf(given, cwd)).reduce((sum, file) => sum + statSync(path.resolve(cwd, file)).size, 0);
}

function readStdinChunks({ stdin }: Pick<Surroundings, 'stdin'>): AsyncIterable<Uint8Array> {
  if (stdin.isTerminal || stdin.chunks === undefined) {
    throw new CliError('unreadable-file', '-f - reads a log from stdin, which is a terminal', {
      suggestions: ['pipe a log into the command'],
    });
  }
  return stdin.chunks();
}

/** Returns stdin so that it can be read again from its start, as far as it was read before that. */
export function withStart(stdin: InputStream): InputStream {
  const { isTerminal, chunks } = stdin;
  if (chunks === undefined) return stdin;
  const source = onceValue(() => chunks.call(stdin)[Symbol.asyncIterator]());
  const start: Uint8Array[] = [];
  let isFirst = true;
  return {
    isTerminal,
    read: limit => stdin.read(limit),
    chunks: async function* () {
      const isKept = isFirst;
      isFirst = false;
      yield* start;
      for (let next = await source().next(); next.done !== true; next = await source().next()) {
        if (isKept) start.push(next.value);
        yield next.value;
      }
    },
  };
}

function filesOf(given: string, cwd: string): string[] {
  if (given === '-') return [given];
  const found = lstatSync(path.resolve(cwd, given), { throwIfNoEntry: false });
  if (found === undefined) {
    throw new CliError('unreadable-file', `the path ${JSON.stringify(given)} does not exist`, {
      suggestions: ['pass an audit log, a recording, or a folder of them'],
    });
  }
  const files = statSync(path.resolve(cwd, given)).isDirectory() ? filesBelow(given, cwd) : undefined;
  for (const file of files ?? [given]) checkReadable(file, cwd);
  if (files === undefined) return [given];
  if (files.length === 0)
    throw new CliError('no-objects', `${given} contains no files`, { suggestions: ['pass a folder with audit logs'] });
  const timed = files.map(file => ({ file, at: firstTime(path.resolve(cwd, file)) }));
  // Stable: files without a time stay where their names put them.
  return timed.sort((a, b) => (a.at === undefined || b.at === undefined ? 0 : a.at - b.at)).map(({ file }) => file);
}

/** What cannot be read should end the run at its start, and not after hours. */
function checkReadable(given: string, cwd: string): void {
  const file = path.resolve(cwd, given);
  try {
    accessSync(file, constants.R_OK);
    if (statSync(file).isFile()) checkDecompression(firstBytes(file, 4), given);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file: given }, cause: error });
  }
}

/** Links to folders are not followed, which avoids cycles. */
function filesBelow(folder: string, cwd: string): string[] {
  const entries = readdirSync(path.resolve(cwd, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(entry => {
    const file = path.join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? filesBelow(file, cwd) : entry.isFile() ? [file] : [];
  });
}

/** The time of an event, and that of a recording in YAML. */
const firstTimeIn = /requestReceivedTimestamp\\?":\\?"([^"\\]+)|^at: '?([^'\s]+)/m;

/** Milliseconds of the first event in a file; undefined if it cannot be told. */
function firstTime(file: string): number | undefined {
  try {
    const text = startOf(firstBytes(file, peekedBytes)).toString('latin1');
    const time = Date.parse(
      firstTimeIn
        .exec(text)
        ?.slice(1)
        .find(found => found !== undefined) ?? '',
    );
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

function firstBytes(file: string, count: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(count);
    return buffer.subarray(0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

/** Returns the lines of each chunk. A run of empty lines is one item: a compressed file of a megabyte can have a billion of them. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > maxLineBytes) isTooLong = true;
    if (isTooLong) rest = [];
    else rest.push(part);
  };
  const takeLine = (): string | undefined => {
    const text = isTooLong ? undefined : (rest.length === 1 ? rest[0] : Buffer.concat(rest))?.toString('utf8');
    rest = [];
    length = 0;
    isTooLong = false;
    return text;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      let end = at + 1;
      if (at === from && length === 0) {
        while (chunk[end] === 10) end += 1;
        lines.push(end - at);
      } else {
        keep(chunk.subarray(from, at));
        lines.push(takeLine());
      }
      from = end;
    }
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
    yield lines;
  }
  if (length > 0) yield [takeLine()];
}
