import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { readData } from '../data-file.js';

/** Version information of the reproduced kube-apiserver. */
export const versionDocument = memoize((server: ApiServer) => readData(server, 'version.json').toString('utf8'));
