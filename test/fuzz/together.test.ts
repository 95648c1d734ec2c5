import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Asked, searched, type Told } from './searched.js';

const isCreation = ({ operation, subResource = '' }: Asked): boolean => operation === 'CREATE' && subResource === '';
const refusal = ({ operation, object }: Asked): Told =>
  operation === 'CREATE' && object?.metadata.labels === undefined ? { refuse: 'no labels' } : {};

describe('calls made at the same time', () => {
  it('are the same for a seed, however long their answers take', async () => {
    let open = 0;
    let most = 0;
    const slowly = async (request: Asked): Promise<Told> => {
      open += 1;
      most = Math.max(most, open);
      await pause(request.uid.charCodeAt(0) % 3);
      open -= 1;
      return refusal(request);
    };
    const at = async (answer: (request: Asked) => Told | Promise<Told>) => {
      const { bodies } = await searched('validating', answer, { checks: ['crash'], runs: 120 });
      return [...bodies].sort();
    };
    expect(await at(slowly)).toEqual(await at(refusal));
    expect(most).toBeGreaterThan(1);
  });

  it('are the same for a seed, however long a webhook says that its answers take', async () => {
    const taking = (durations: readonly number[]) => {
      let answers = 0;
      return (request: Asked): Told => {
        answers += 1;
        return { ...refusal(request), durationMs: durations[answers % durations.length] ?? 1 };
      };
    };
    const calls = async (durations: readonly number[]) => {
      const found = await searched('validating', taking(durations), { checks: ['crash', 'slow', 'unsteady', 'dry-run'], runs: 300 });
      expect(found.calls).toHaveLength(300);
      return found.calls;
    };
    const prompt = await calls([1]);
    expect(await calls([1, 30, 450, 2, 4000])).toEqual(prompt);
    expect(await calls([900, 1, 13, 1700])).toEqual(prompt);
  });

  it('are blamed only for failures that they show alone', async () => {
    let open = 0;
    const overloaded = async (): Promise<Told> => {
      open += 1;
      await pause(1);
      const isCrowded = open > 2;
      open -= 1;
      return isCrowded ? { isReset: true } : {};
    };
    const { findings } = await searched('validating', overloaded, { checks: ['crash', 'unsteady', 'slow'], runs: 60 });
    expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([
      expect.stringMatching(/^unsteady: fails when it gets several reviews at the same time: .*EOF$/),
    ]);
  });

  it('are made one after another for a webhook that takes one connection', async () => {
    let open = 0;
    const single = async (request: Asked): Promise<Told> => {
      open += 1;
      const isBlocked = open > 1;
      await pause(1);
      open -= 1;
      return isBlocked ? { isTimeout: true } : isCreation(request) ? {} : { refuse: 'no' };
    };
    const { findings } = await searched('validating', single, { checks: ['crash', 'unsteady', 'slow'], runs: 60 });
    expect(findings).toEqual([]);
  });

  it('show a call after which the webhook answers no other one', async () => {
    let isLocked = false;
    const locking = async (request: Asked): Promise<Told> => {
      await pause(1);
      if (isLocked) return { isTimeout: true };
      isLocked = isCreation(request) && request.object?.metadata.labels !== undefined;
      return {};
    };
    const restart = (): void => {
      isLocked = false;
    };
    const { findings } = await searched('validating', locking, { checks: ['crash', 'slow'], runs: 40, restart });
    expect(findings).toMatchObject([
      {
        check: 'slow',
        message: 'answers this review, and then no other one',
        isRepeatable: true,
        made: { input: { operation: 'create' } },
      },
    ]);
  });
});
