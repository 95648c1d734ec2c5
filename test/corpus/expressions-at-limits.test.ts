import { holdToRecordings } from './hold-to-recordings.js';
import { areAtLimits } from './slow-files.js';

holdToRecordings('expressions', { part: 'at the limits', includes: areAtLimits });
