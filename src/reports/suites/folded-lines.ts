import { counted } from '../../kubernetes/counted.js';

/** Lines of a program's output that a report shows. */
const maxShown = 24;

/** A crash starts with such a line, which says what happened; the lines after it say where. */
const startOfCrash =
  /^(?:panic: |fatal error: |runtime: |Traceback \(most recent call last\)|thread '.*' .*panicked at|Exception in thread |Uncaught |.*http: panic serving )/;

/** Returns the first and the last lines of an output, from the beginning of the last crash in it, with the number of those left out. */
export function foldedLines(lines: readonly string[]): string[] {
  const crash = lines.findLastIndex(line => startOfCrash.test(line));
  const shown = lines.length > maxShown && crash > 0 ? lines.slice(crash) : lines;
  const before = shown === lines ? [] : [leftOut(crash)];
  if (shown.length <= maxShown) return [...before, ...shown];
  const half = maxShown / 2;
  return [...before, ...shown.slice(0, half), leftOut(shown.length - maxShown), ...shown.slice(-half)];
}

function leftOut(count: number): string {
  return `... ${counted(count, 'line')} left out`;
}
