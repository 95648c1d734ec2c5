import { constants, inflateRawSync } from 'node:zlib';
import { headersIn } from '../../encoding/spdy/spdy-headers.js';
import { spdyDictionary } from './spdy-dictionary.js';

/** Bytes before the current one that compressed data refer to. Source: RFC 1951. */
const windowBytes = 32 * 1024;
/** Max bytes of the headers of one frame. */
const maxOutputLength = 64 * 1024;
/** Bytes at the start of a zlib stream; with a preset dictionary, its checksum follows. Source: RFC 1950 section 2.2. */
const [headBytes, checksumBytes, dictionaryFlag] = [2, 4, 0x20];

/**
 * Reads the headers of one side of a SPDY connection: all of them are one zlib stream that starts with the dictionary of the protocol and is flushed to whole bytes after
 * each frame.
 */
export class SpdyHeaderReader {
  #window: Buffer | undefined;

  /** Returns the headers of the next frame; undefined for what is not compressed or not complete. */
  read(block: Buffer): ReadonlyMap<string, string> | undefined {
    const [window, packed] = this.#window === undefined ? startOf(block) : [this.#window, block];
    try {
      const options = window.length === 0 ? {} : { dictionary: window };
      const text = inflateRawSync(packed, { ...options, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
      this.#window = Buffer.concat([window, text]).subarray(-windowBytes);
      return headersIn(text);
    } catch {
      return undefined;
    }
  }
}

function startOf(block: Buffer): readonly [window: Buffer, packed: Buffer] {
  const hasDictionary = ((block[1] ?? 0) & dictionaryFlag) !== 0;
  return hasDictionary ? [spdyDictionary(), block.subarray(headBytes + checksumBytes)] : [Buffer.alloc(0), block.subarray(headBytes)];
}
