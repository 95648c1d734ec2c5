import { findChromium } from './chromium.js';
import { playgroundTests } from './playground-tests.js';
import { reviewPictureTests } from './review-picture-tests.js';
import { traceTests } from './trace-page-tests.js';

// One file: the browser is unpacked and looked for once.
const found = await findChromium();
traceTests(found);
playgroundTests(found);
reviewPictureTests(found);
