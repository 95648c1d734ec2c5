import { holdToRecordings } from './hold-to-recordings.js';
import { areAtDeadlines } from './slow-files.js';

holdToRecordings('decisions', { part: 'before deadlines', includes: name => !areAtDeadlines(name) });
