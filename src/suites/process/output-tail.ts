import { StringDecoder } from 'node:string_decoder';

/** The last lines of a process's output. */
export interface OutputTail {
  /** One output stream: each has its own decoder, so that a character may span two chunks. */
  readonly stream: () => (chunk: Uint8Array) => void;
  /** The lines, oldest first, without trailing empty ones. */
  readonly lines: () => readonly string[];
}

const maxOutputLines = 20;
const maxCharacters = 16_384;

/** Keeps at most 20 lines with at most 16,384 characters. */
export function outputTail(): OutputTail {
  let text = '';
  return {
    stream: () => {
      const decoder = new StringDecoder('utf8');
      return chunk => {
        text = (text + decoder.write(Buffer.from(chunk))).slice(-maxCharacters);
      };
    },
    lines: () => {
      const trimmed = text.trimEnd();
      return trimmed === '' ? [] : trimmed.split(/\r?\n/).slice(-maxOutputLines);
    },
  };
}
