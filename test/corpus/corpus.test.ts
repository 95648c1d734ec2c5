import { folders } from './files.js';
import { holdToRecordings } from './hold-to-recordings.js';

for (const folder of folders) if (folder !== 'expressions' && folder !== 'decisions') holdToRecordings(folder);
