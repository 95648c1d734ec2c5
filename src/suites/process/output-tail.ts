import { StringDecoder } from 'node:string_decoder';

/** The last output of a process. */
export interface OutputTail {
  /** One output stream: each has its own decoder, so that a character may span two chunks. */
  readonly stream: () => (chunk: Uint8Array) => void;
  /** The last lines, oldest first, without trailing empty ones. */
  readonly lines: () => readonly string[];
  /** Number of characters written until now, for `since`. */
  readonly written: () => number;
  /** The first and the last lines of what was written after that number of characters. */
  readonly since: (written: number) => readonly string[];
  /** Calls the listener with all output from now on. */
  readonly listen: (listener: (text: string) => void) => void;
}

const maxOutputLines = 200;
const maxCharacters = 65_536;

/** Keeps the last 65,536 characters; returns at most 200 lines. */
export function outputTail(): OutputTail {
  let text = '';
  let written = 0;
  const listeners: ((text: string) => void)[] = [];
  return {
    stream: () => {
      const decoder = new StringDecoder('utf8');
      return chunk => {
        const decoded = decoder.write(Buffer.from(chunk));
        written += decoded.length;
        text = (text + decoded).slice(-maxCharacters);
        for (const listener of listeners) listener(decoded);
      };
    },
    lines: () => lastLines(text),
    written: () => written,
    since: start => (written === start ? [] : outermostLines(text.slice(-(written - start)))),
    listen: listener => listeners.push(listener),
  };
}

function lastLines(text: string): string[] {
  return outputLines(text).slice(-maxOutputLines);
}

/** The first lines of a crash say what happened, the last ones where. */
function outermostLines(text: string): string[] {
  const lines = outputLines(text);
  const half = maxOutputLines / 2;
  return lines.length <= maxOutputLines ? lines : [...lines.slice(0, half), ...lines.slice(-half)];
}

function outputLines(text: string): string[] {
  const trimmed = text.trimEnd();
  return trimmed === '' ? [] : trimmed.split(/\r?\n/);
}
