import { expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { userInfo } from '../../../src/local-apiserver/access/authentication.js';
import { askBackend } from '../../../src/local-apiserver/aggregator/ask-backend.js';
import { clusterStateWith } from '../../support/cluster-state.js';

it('stops reading an answer of a service that does not end', async () => {
  let reads = 0;
  let isReleased = false;
  const apiService = toValue({
    kind: 'APIService',
    metadata: { name: 'v1.example.com' },
    spec: { group: 'example.com', version: 'v1', service: { namespace: 'default', name: 'api' } },
  }) as ValueMap;
  const answer = askBackend(
    apiService,
    { path: '/apis', user: userInfo('u', []), headers: [] },
    {
      state: () => clusterStateWith({ objects: [] }),
      effects: () => ({ random: () => 0, serviceAddress: () => ({ host: '127.0.0.1', port: 1 }) }),
      requestHeaders: undefined,
      callBackend: async () => ({
        outcome: 'answered',
        statusCode: 200,
        header: [],
        read: async () => {
          reads += 1;
          return new Uint8Array(1024 * 1024);
        },
        write: () => undefined,
        release: () => {
          isReleased = true;
        },
      }),
    },
  );
  await expect(answer).rejects.toThrow('a service does not end its answer');
  expect([reads, isReleased]).toEqual([33, true]);
});
