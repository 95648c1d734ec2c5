import { colorLevel, type Palette, paletteOf } from '../../reports/palette.js';
import type { Surroundings } from './surroundings.js';

/** Returns the colors and the width for output on stdout. */
export function terminalPalette(
  { noColor = false }: { readonly noColor?: boolean | undefined },
  { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>,
): Palette {
  return paletteOf(colorLevel(env, { isTerminal: stdout.isTerminal, refused: noColor }), stdout.columns);
}
