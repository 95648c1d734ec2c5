import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectThreads, type ThreadConnection } from '../../../../src/cli/threads/remote-functions.js';

type Functions = {
  readonly join: (texts: readonly string[], separator: string) => Promise<string>;
  readonly refuse: () => Promise<void>;
  readonly returnFunction: () => Promise<unknown>;
  readonly wait: () => Promise<void>;
};

let channel: MessageChannel;
let connection: ThreadConnection<Functions>;

beforeEach(() => {
  channel = new MessageChannel();
  connectThreads(channel.port2, {
    join: async (texts: readonly string[], separator: string) => texts.join(separator),
    refuse: async () => {
      throw new TypeError('refused');
    },
    returnFunction: async () => () => {},
    wait: () => new Promise(() => {}),
  });
  connection = connectThreads<Functions>(channel.port1, {});
});
afterEach(() => channel.port1.close());

describe('functions of another thread', () => {
  it('answer each call', async () => {
    const calls = ['a', 'b', 'c'].map(text => connection.call('join', [text, text], '-'));
    expect(await Promise.all(calls)).toEqual(['a-a', 'b-b', 'c-c']);
  });

  it('reject with a copy of the error', async () => {
    await expect(connection.call('refuse')).rejects.toEqual(new TypeError('refused'));
  });

  it('reject when the result cannot be copied', async () => {
    await expect(connection.call('returnFunction')).rejects.toThrow(/could not be cloned/);
  });

  it('reject when the thread ends, now and later', async () => {
    const waiting = connection.call('wait');
    connection.fail(new Error('ended'));
    await expect(waiting).rejects.toThrow('ended');
    await expect(connection.call('wait')).rejects.toThrow('ended');
  });
});
