// Recorded calls that can be replayed on another API server, and why the others cannot.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Reads the cases below the folders of a corpus. `left` has a reason for each case that cannot be set up again. */
export function readCases(corpus, folders) {
  const read = folders.flatMap(folder => readFolder(corpus, folder));
  const marked = read.map(recorded => ({ recorded, reason: reasonToLeave(recorded) }));
  return {
    cases: marked.filter(({ reason }) => reason === undefined).map(({ recorded }) => recorded),
    left: marked.flatMap(({ recorded, reason }) => (reason === undefined ? [] : [{ id: recorded.id, reason }])),
  };
}

function readFolder(corpus, folder) {
  const at = path.join(corpus, folder);
  if (!existsSync(at)) throw new Error(`${at} is missing`);
  const definitionsFile = path.join(at, 'crds.json');
  const definitions = existsSync(definitionsFile) ? JSON.parse(readFileSync(definitionsFile, 'utf8')).crds : {};
  const files = readdirSync(at).filter(name => name.endsWith('.json'));
  return files.sort().flatMap(name => {
    const { cases = [] } = JSON.parse(readFileSync(path.join(at, name), 'utf8'));
    return cases.map(recorded => ({
      ...recorded,
      id: `${folder}: ${recorded.name}`,
      place: path.join(folder, name),
      flags: recorded.apiserver.flags,
      definitions: (recorded.cluster?.crds ?? []).map(crd => definitions[crd]),
    }));
  });
}

/** Undefined for a case that can be set up. */
export function reasonToLeave({ call, answer, cluster = {}, definitions = [], reviews, webhook, endpoint, routes }) {
  if (call === undefined || answer?.body === undefined) return 'the form of the recording has no call or no body of an answer';
  if (cluster.configurations !== undefined) return 'its webhook configurations are in a table of their own';
  if (webhook !== undefined || endpoint !== undefined || routes !== undefined) return 'its webhooks answer by scripts';
  if (definitions.includes(undefined)) return 'its definition is missing';
  if ((reviews ?? []).some(({ phase }) => phase === 'conversion')) return 'answers of conversion webhooks have recorded values';
  return undefined;
}
