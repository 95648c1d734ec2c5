import { perMinor } from '../../kubernetes/kubernetes-version.js';
import { readData } from '../data-file.js';

/** Version information of the reproduced kube-apiserver. */
export const versionDocument = perMinor(() => readData('version.json').toString('utf8'));
