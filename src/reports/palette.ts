import { Chalk, type ColorSupportLevel } from 'chalk';

/** What is coloured in reports, by meaning. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly place: (text: string) => string;
}

/** 0: none, 1: 16 colours, 2: 256, 3: all. */
export type ColourLevel = ColorSupportLevel;

/** How text gets its colours at a level; at 0 it stays as it is. */
export function paletteOf(level: ColourLevel): Palette {
  if (level === 0) return plain;
  const chalk = new Chalk({ level });
  return { good: chalk.green, bad: chalk.red, warning: chalk.yellow, quiet: chalk.dim, strong: chalk.bold, place: chalk.cyan };
}

/** Without chalk, which asks the machine about its terminal as soon as it is loaded. */
const plain: Palette = { good: same, bad: same, warning: same, quiet: same, strong: same, place: same };

function same(text: string): string {
  return text;
}

/**
 * How much colour a stream gets. chalk's own idea does not know NO_COLOR; `--no-color` wins over FORCE_COLOR, FORCE_COLOR over
 * NO_COLOR, and both over what the stream is.
 */
export function colourLevel(
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, refused }: { readonly isTerminal: boolean; readonly refused: boolean },
): ColourLevel {
  if (refused) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : forced === '2' ? 2 : forced === '3' ? 3 : 1;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 0;
  return isTerminal ? 1 : 0;
}
