// Replays recorded calls on the API servers of two releases, and prints what the newer one answers otherwise, grouped by message or field.
//
//   node scripts/replay-corpus.js VERSION BEFORE --corpus DIR --oracle DIR [--cases FOLDER,...] [--record DIR]
//
// The folders of DIR (default requests,custom-resources) have files of recorded cases. The oracle's folder has kit.py, which starts the API servers
// of both releases (docs/decisions/versions-are-data-and-marked-rules.md). --record writes the calls as the new release answers them, in the form of the corpus.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { groupBy } from './group-by.js';
import { corpusChanges } from './new-minor/corpus-changes.js';
import { startOracle } from './new-minor/oracle.js';
import { readCases } from './new-minor/recorded-cases.js';
import { writeRecordings } from './new-minor/recordings.js';
import { replayCases } from './new-minor/replay.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string' },
    oracle: { type: 'string' },
    cases: { type: 'string', default: 'requests,custom-resources' },
    record: { type: 'string' },
  },
});
const [version, before] = positionals;
if (before === undefined || values.corpus === undefined || values.oracle === undefined)
  throw new Error('usage: node scripts/replay-corpus.js VERSION BEFORE --corpus DIR --oracle DIR [--cases FOLDER,...] [--record DIR]');

const { cases, left } = readCases(values.corpus, values.cases.split(','));
// The second server of the new release shows which values are random, times or versions of objects.
const outcomes = await Promise.all([replayOn(before), replayOn(version), replayOn(version, 67)]);
process.stdout.write(`${corpusChanges(outcomes, left).join('\n')}\n`);
if (values.record !== undefined) writeRecordings(values.corpus, path.resolve(values.record), version, cases, outcomes.slice(1));

/** Outcomes by `id`. Cases with other flags have a server of their own. `shift` raises the versions of all objects. */
async function replayOn(release, shift = 0) {
  const found = new Map();
  for (const [flags, some] of groupBy(cases, each => JSON.stringify(each.flags))) {
    for (const [id, outcome] of await replayWithFlags(release, JSON.parse(flags), some, shift)) found.set(id, outcome);
  }
  return found;
}

async function replayWithFlags(release, flags, some, shift) {
  let oracle;
  try {
    oracle = await startOracle(values.oracle, release, flags);
  } catch (error) {
    return some.map(({ id }) => [id, { reason: error.message }]);
  }
  try {
    for (let i = 0; i < shift; i += 1) await oracle.write([['/registry/shift', Buffer.from(String(i))]]);
    return await replayCases(oracle, some);
  } finally {
    await oracle.stop();
  }
}
