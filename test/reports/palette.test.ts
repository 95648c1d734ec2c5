import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../src/reports/palette.js';

/** Returns red, green and blue of a color of the cube of 256 colors. */
function rgbOf(code: number): number[] {
  const index = code - 16;
  return [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(step => (step === 0 ? 0 : 55 + 40 * step));
}

/** Source: WCAG 2.2, relative luminance. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb
    .map(byte => byte / 255)
    .map(part => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the colors of reports', () => {
  it.each(['good', 'bad', 'warning', 'place'] as const)('are visible on white and on black: %s', name => {
    const code = Number(/\[38;5;(\d+)m/.exec(paletteOf(2)[name]('x'))?.[1]);
    const own = luminance(rgbOf(code)) + 0.05;
    expect([1.05 / own, own / 0.05].map(contrast => contrast >= 3)).toEqual([true, true]);
  });
});
