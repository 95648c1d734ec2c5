import { describe, expect, it } from 'vitest';
import type { ChangeType } from '../../src/replay/outcome.js';
import { countBroken, countCall, countUnknown, newTally } from '../../src/replay/tally.js';
import { paletteOf } from '../../src/reports/palette.js';
import { replayFormats, replayReport } from '../../src/reports/replay/report.js';

const call = {
  ...{ source: 'audit.log', line: 7, auditId: 'a', atMs: Date.parse('2026-01-02T15:04:05Z') },
  ...{ call: 'CREATE pods shop/web', user: 'alice', namespace: 'shop', resource: 'pods' },
};

/** A replay in which most calls end as they did. */
function tallyOf() {
  const tally = newTally();
  const counted = (change: ChangeType | undefined): void =>
    countCall(tally, call, { changes: change === undefined ? [] : [{ change, by: 'owner', message: change }], waitedMs: 0 });
  for (let i = 0; i < 5000; i += 1) counted(undefined);
  for (const change of ['newly-refused', 'newly-refused', 'newly-allowed'] as const) counted(change);
  countUnknown(tally, 'no object');
  countBroken(tally, { source: 'audit.log', line: 8 }, 'not JSON');
  return { ...tally, lines: 5005, leftOut: 2 };
}

describe('the report of a replay', () => {
  it('has a chart with axes, and room for hours without calls', () => {
    const run = { kubernetesVersion: 'v1.37', complete: true, shard: undefined, tally: tallyOf(), commandOf: () => 'repeat it' };
    const hours = { '2026-01-02T15': { calls: 5003, changed: 3 }, '2026-01-02T18': { calls: 10, changed: 0 } };
    const tally = { ...run.tally, hours };
    const html = replayReport({ ...run, tally }, 'html', { palette: paletteOf(0), toolVersion: '1' });
    const labels = [...html.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(labels).toEqual(['0', '3,000', '6,000', '01-02 15:00', '01-02 16:00', '01-02 17:00', '01-02 18:00']);
    const places = [...html.matchAll(/<rect class="calls" x="([\d.]+)"/g)].map(([, x]) => Number(x));
    expect(places).toEqual([56, 56 + 3 * 48]);
  });

  for (const format of replayFormats.filter(name => name !== 'json')) {
    it(`says as ${format} how many calls there were, and what was not read`, () => {
      const run = { kubernetesVersion: 'v1.37', complete: true, shard: undefined, tally: tallyOf(), commandOf: () => 'repeat it' };
      const report = replayReport(run, format, { palette: paletteOf(0), toolVersion: '1' });
      for (const words of [
        '5,005 lines from 2026-01-02 15:04 to 2026-01-02 15:04: 5,003 calls compared, 1 not known, 0 other events',
        'newly refused 2, newly allowed 1',
        ...['2 calls were left out by --sample', '1 line cannot be read:', 'audit.log:8', 'not JSON', 'audit.log:7'],
        ...(format === 'markdown' ? [] : ['newly refused by owner: 2 calls (under 0.1 %)']),
      ])
        expect(report).toContain(words);
    });

    it(`says as ${format} that the version is a preview`, () => {
      const run = { kubernetesVersion: 'v1.38', complete: true, shard: undefined, tally: tallyOf(), commandOf: () => 'repeat it' };
      const reporting = { palette: paletteOf(0), toolVersion: '1' };
      expect(replayReport(run, format, reporting)).toContain('Kubernetes v1.38 is a preview');
      expect(replayReport({ ...run, kubernetesVersion: 'v1.37' }, format, reporting)).not.toContain('preview');
    });
  }
});
