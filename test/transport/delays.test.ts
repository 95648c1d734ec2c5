import { describe, expect, it } from 'vitest';
import { monotonicMs } from '../../src/transport/clock.js';
import { undelayedMs, watchDelays } from '../../src/transport/delays.js';
import { block } from '../support/block.js';

/** Returns the milliseconds that the undelayed clock did not count. */
function lostIn(work: () => void): number {
  const [start, undelayed] = [monotonicMs(), undelayedMs()];
  work();
  return monotonicMs() - start - (undelayedMs() - undelayed);
}

describe('the undelayed clock', () => {
  it('stands still while a watched event loop is blocked', () => {
    const endWatch = watchDelays();
    expect(lostIn(() => block(100))).toBeGreaterThan(80);
    endWatch();
  });

  it('stands still until the last watch ends', () => {
    const [first, second] = [watchDelays(), watchDelays()];
    first();
    first();
    expect(lostIn(() => block(100))).toBeGreaterThan(80);
    second();
  });
});
