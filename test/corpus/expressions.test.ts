import { holdToRecordings } from './hold-to-recordings.js';

// In a separate file, so that slow tests run in parallel.
holdToRecordings('expressions');
