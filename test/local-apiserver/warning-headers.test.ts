import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalCluster, startLocalCluster } from '../support/local-cluster.js';

let cluster: LocalCluster;

beforeAll(async () => {
  cluster = await startLocalCluster([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }]);
});
afterAll(() => cluster.close());

/** Creates a ConfigMap in a dry run; returns the code and the bytes of the warning. */
function created(object: object): Promise<{ readonly code: number | undefined; readonly warning: string }> {
  const url = `${cluster.server.url}/api/v1/namespaces/team/configmaps?dryRun=All`;
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', ca: cluster.ca, headers, agent: false }, response => {
      response.resume();
      const [warning = ''] = response.rawHeaders.filter((_, i, all) => all[i - 1]?.toLowerCase() === 'warning');
      resolve({ code: response.statusCode, warning: Buffer.from(warning, 'latin1').toString('utf8') });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(object));
  });
}

// Node writes headers in Latin-1, and refuses characters that it does not have.
it.each(['é', '→'])('sends a warning with %s in UTF-8', async key => {
  const { code, warning } = await created({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', [key]: 1 } });
  expect([code, warning]).toEqual([201, `299 - "unknown field \\"metadata.${key}\\""`]);
});
