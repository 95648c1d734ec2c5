import { toValue, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { readData } from '../recorded/data-file.js';

/** Returns the recorded ClusterRoles that an API server creates, without uids and times. */
export const defaultClusterRoles = memoize((server: ApiServer): readonly ValueMap[] => {
  const lines = readData(server, 'bootstrap.jsonl').toString('utf8').split('\n');
  return lines.filter(line => line.includes('"kind":"ClusterRole",')).map(line => toValue(JSON.parse(line)) as ValueMap);
});
