import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { browserOf, type FoundBrowser, titleFor } from './chromium.js';

/** Tests of the picture in README.md. */
export function reviewPictureTests(found: FoundBrowser): void {
  const title = titleFor(found, 'the picture of README.md in Chromium');
  describe.runIf('browser' in found)(title, { timeout: 60_000 }, () => inBrowser(browserOf(found)));
}

/** Place, width and text of each text element as it is drawn. */
const drawn = `[...document.querySelectorAll('text')].map(text => {
  const { x, width } = text.getBBox();
  return { text: text.textContent, start: x, end: x + width, column: Number(text.getAttribute('x')) };
})`;

interface DrawnText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

function inBrowser(browser: Browser): void {
  // Browsers without the fonts that the picture names draw it in another one.
  it.each(['monospace', 'serif', 'sans-serif'])('has its columns where a terminal has them, in the font %s', async font => {
    const picture = readFileSync(path.join(root, 'docs/review.svg'), 'utf8');
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.setContent(picture.replace(/font-family="[^"]*"/, `font-family="${font}"`));
    const texts: DrawnText[] = await page.evaluate(drawn);
    const pictureWidth = Number(/ width="(\d+)"/.exec(picture)?.[1]);
    const columnWidth = 8.1;
    const misplaced = texts.filter(({ text, start, end, column }) => {
      const width = text.length * columnWidth;
      return Math.abs(start - column) > 3 || Math.abs(end - column - width) > 3 || end > pictureWidth;
    });
    await page.close();
    expect(texts.length).toBeGreaterThan(20);
    expect(misplaced).toEqual([]);
  });
}
