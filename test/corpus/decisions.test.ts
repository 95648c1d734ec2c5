import { holdToRecordings } from './hold-to-recordings.js';

holdToRecordings('decisions');
