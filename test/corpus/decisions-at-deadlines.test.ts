import { holdToRecordings } from './hold-to-recordings.js';
import { areAtDeadlines } from './slow-files.js';

holdToRecordings('decisions', { part: 'at deadlines', includes: areAtDeadlines, waits: true });
