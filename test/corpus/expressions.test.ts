import { holdToRecordings } from './hold-to-recordings.js';

// In a file of its own, as the next one: what takes long runs side by side.
holdToRecordings('expressions');
