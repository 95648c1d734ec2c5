import { afterAll } from 'vitest';
import { findChromium } from './chromium.js';
import { playgroundTests } from './playground-tests.js';
import { reviewPictureTests } from './review-picture-tests.js';
import { traceTests } from './trace-page-tests.js';

// One file: the browser is unpacked, looked for and started once.
const found = await findChromium();
afterAll(async () => {
  if ('browser' in found) await found.browser.close();
});
traceTests(found);
playgroundTests(found);
reviewPictureTests(found);
