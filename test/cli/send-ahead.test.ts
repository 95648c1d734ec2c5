import { expect, it } from 'vitest';
import { sendAhead } from '../../src/cli/threads/send-ahead.js';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

it('a thread sends four messages ahead of their answers, and ends when all are answered', async () => {
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  const { send, end } = sendAhead((message: number) => {
    sent.push(message);
    return new Promise<void>(resolve => answers.push(resolve));
  });
  let hasEnded = false;
  const all = (async () => {
    for (const message of [1, 2, 3, 4, 5, 6]) await send(message);
    await end();
    hasEnded = true;
  })();
  await turn();
  expect(sent).toEqual([1, 2, 3, 4]);
  answers[0]?.();
  await turn();
  expect(sent).toEqual([1, 2, 3, 4, 5]);
  answers[1]?.();
  await turn();
  expect([sent.length, hasEnded]).toEqual([6, false]);
  for (const answer of answers) answer();
  await all;
});

it('a message that cannot be sent fails the share of its thread', async () => {
  const { send, end } = sendAhead(async () => {
    throw new Error('the main thread has ended');
  });
  await send(1);
  await turn();
  await expect(end()).rejects.toThrow('the main thread has ended');
});
