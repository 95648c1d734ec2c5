// Entry of the bundle that makes the lines of recorded cases in a browser.
import { addFiles } from '../../pages/playground/platform/node-fs.js';
import { recordedLine } from './recorded-lines.js';

Object.assign(globalThis, { addFiles, recordedLine });
