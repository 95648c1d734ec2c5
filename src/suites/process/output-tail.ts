import { StringDecoder } from 'node:string_decoder';

/** The last lines that a process wrote, however much it wrote before. */
export interface OutputTail {
  /** A stream of it: each has a decoder of its own, so that no character is cut between two chunks. */
  readonly stream: () => (chunk: Uint8Array) => void;
  /** The lines, oldest first, without the empty ones at the end. */
  readonly lines: () => readonly string[];
}

const mostLines = 20;
const mostCharacters = 16_384;

/** Keeps at most 20 lines, and of those at most 16,384 characters. */
export function outputTail(): OutputTail {
  let text = '';
  return {
    stream: () => {
      const decoder = new StringDecoder('utf8');
      return chunk => {
        text = (text + decoder.write(Buffer.from(chunk))).slice(-mostCharacters);
      };
    },
    lines: () => {
      const trimmed = text.trimEnd();
      return trimmed === '' ? [] : trimmed.split(/\r?\n/).slice(-mostLines);
    },
  };
}
