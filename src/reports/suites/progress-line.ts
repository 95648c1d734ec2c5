import { oneLine } from '../../writers/printable.js';

/** Shorter runs show their result at once, in milliseconds. */
export const longRunMs = 1000;

/** How far a run is. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Cases per second; undefined at the start. */
  readonly perSecond?: number | undefined;
  readonly current: string;
}

/** The progress line of a terminal, without a line break: at most `columns` wide. */
export function progressLine({ done, total, failed, perSecond, current }: RunProgress, columns: number): string {
  const rate = perSecond === undefined ? '' : `, ${Number(perSecond.toPrecision(2))}/s`;
  const counts = `${done}/${total}${rate}${failed === 0 ? '' : `, ${failed} failed`}`;
  return oneLine(`${counts}  ${current}`).slice(0, Math.max(columns - 1, 0));
}
