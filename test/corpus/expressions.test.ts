import { holdToRecordings } from './hold-to-recordings.js';
import { areAtLimits } from './slow-files.js';

holdToRecordings('expressions', { part: 'below the limits', includes: name => !areAtLimits(name) });
