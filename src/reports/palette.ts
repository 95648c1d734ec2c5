import { Chalk, type ColorSupportLevel } from 'chalk';

/** Colors of reports, by meaning, and the width of the terminal. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly place: (text: string) => string;
  /** Explanations are wrapped here; undefined for files and pipes. */
  readonly columns?: number | undefined;
}

/** 0: none, 1: 16 colors, 2: 256, 3: all. */
export type ColorLevel = ColorSupportLevel;

/** Returns the palette of a color level; level 0 leaves text unchanged. `columns` is the width of the terminal. */
export function paletteOf(level: ColorLevel, columns?: number): Palette {
  if (level === 0) return { ...plain, columns };
  const chalk = new Chalk({ level });
  const style = { quiet: chalk.dim, strong: chalk.bold, columns };
  // The usual green, yellow and cyan of 16 colors are hardly visible on white: these have a contrast of 3 or more on white and on black.
  if (level > 1) {
    const [good, bad, warning, place] = [chalk.ansi256(29), chalk.ansi256(160), chalk.ansi256(136), chalk.ansi256(31)];
    return { ...style, good, bad, warning, place };
  }
  return { ...style, good: chalk.green, bad: chalk.red, warning: chalk.yellow, place: chalk.magenta };
}

/** Without chalk, which inspects the terminal when it is loaded. */
const plain: Palette = { good: same, bad: same, warning: same, quiet: same, strong: same, place: same };

function same(text: string): string {
  return text;
}

/**
 * The color level of a stream. chalk itself does not support NO_COLOR. `--no-color` overrides FORCE_COLOR, FORCE_COLOR overrides NO_COLOR,
 * and both override the stream's own level.
 */
export function colorLevel(
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, refused }: { readonly isTerminal: boolean; readonly refused: boolean },
): ColorLevel {
  if (refused) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : forced === '2' ? 2 : forced === '3' ? 3 : 1;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 0;
  if (!isTerminal) return 0;
  return env['COLORTERM'] !== undefined ||
    env['WT_SESSION'] !== undefined ||
    /256|direct|kitty|alacritty|ghostty|foot/.test(env['TERM'] ?? '')
    ? 2
    : 1;
}
