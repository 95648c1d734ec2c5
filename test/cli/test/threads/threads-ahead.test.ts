import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { threadsAhead } from '../../../../src/cli/commands/test/threads-ahead.js';
import type { Thread } from '../../../../src/cli/shell/surroundings.js';
import { testSurroundings } from '../../../support/run-command.js';

class FakeThread extends EventEmitter {
  hasEnded = false;
  postMessage(): void {}
  terminate(): void {
    this.hasEnded = true;
  }
}

function ahead(flags: Parameters<typeof threadsAhead>[0]): ReturnType<typeof threadsAhead> & { readonly started: readonly FakeThread[] } {
  const started: FakeThread[] = [];
  const startThread = (): Thread => {
    const thread = new FakeThread();
    started.push(thread);
    return thread as Thread;
  };
  return { ...threadsAhead(flags, { ...testSurroundings({}, { stdout: '', stderr: '' }), startThread }), started };
}

describe('threads of a large folder', () => {
  it.each([
    ['start while it is read', { jobs: 3, run: undefined }, 1000, 2],
    ['do not start for few manifests', { jobs: 3, run: undefined }, 999, 0],
    ['do not start for one job', { jobs: 1, run: undefined }, 1000, 0],
    ['do not start where a pattern selects cases', { jobs: 3, run: { text: 'web' } }, 1000, 0],
  ] as const)('%s', (_, flags, manifests, count) => {
    const { start, started } = ahead(flags);
    start(manifests);
    start(manifests);
    expect(started.length).toBe(count);
  });

  it('are used before others are started, and end if they are not used', () => {
    const { start, started, surroundings, end } = ahead({ jobs: 3, run: undefined });
    start(1000);
    surroundings.startThread?.();
    expect(started.length).toBe(2);
    end();
    expect(started.map(({ hasEnded }) => hasEnded)).toEqual([false, true]);
    surroundings.startThread?.();
    surroundings.startThread?.();
    expect(started.length).toBe(4);
  });

  it('tell who uses them later that they have ended', () => {
    const { start, started, surroundings } = ahead({ jobs: 2, run: undefined });
    start(1000);
    started[0]?.emit('error', new Error('no memory'));
    started[0]?.emit('exit', 1);
    const told: unknown[] = [];
    const thread = surroundings.startThread?.();
    for (const event of ['error', 'exit'] as const) thread?.on(event, value => told.push(value));
    expect(told).toEqual([new Error('no memory'), 1]);
  });
});
