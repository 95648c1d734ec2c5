import { visible } from '../reports/printable.js';
import type { OutputStream, Surroundings } from './surroundings.js';

/** Our own sequences: colors, and the line of the progress. */
const ownSequence = /(\u001b\[[0-9;]*m|\r\u001b\[2K)/;

/**
 * Returns surroundings whose streams show nothing unprintable on a terminal, whatever a format contains. Output into a file or a pipe is unchanged, to the byte.
 */
export function withGuardedStreams(surroundings: Surroundings): Surroundings {
  return { ...surroundings, stdout: guarded(surroundings.stdout), stderr: guarded(surroundings.stderr) };
}

function guarded(stream: OutputStream): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    write: text => stream.write(stream.isTerminal ? shown(text) : text),
    flush: () => stream.flush(),
  };
}

function shown(text: string): string {
  return text
    .split(ownSequence)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('');
}
