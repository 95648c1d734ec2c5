import { toValue, type ValueMap } from '../../go/value.js';
import { perMinor } from '../../kubernetes/kubernetes-version.js';
import { readData } from '../data-file.js';

/** Returns the recorded ClusterRoles that an API server creates, without uids and times. */
export const defaultClusterRoles = perMinor((): readonly ValueMap[] => {
  const lines = readData('bootstrap.jsonl').toString('utf8').split('\n');
  return lines.filter(line => line.includes('"kind":"ClusterRole",')).map(line => toValue(JSON.parse(line)) as ValueMap);
});
