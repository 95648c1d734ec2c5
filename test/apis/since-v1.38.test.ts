import { describe, expect, it } from 'vitest';
import { isMap, toValue, type Value, valueAt } from '../../src/go/value.js';
import { newServedCluster } from '../local-apiserver/support/served-cluster.js';
import { apiServers } from '../support/server.js';
import { write } from '../support/written-object.js';

/** Any certificate. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn+dNuaTAKBggqhkjOPQQDAjASMRAw
DgYDVQQKEwdBY21lIENvMB4XDTE3MTAyMDE5NDMwNloXDTE4MTAyMDE5NDMwNlow
EjEQMA4GA1UEChMHQWNtZSBDbzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABD0d
7VNhbWvZLWPuj/RtHFjvtJBEwOkhbN/BnnE8rnZR8+sbwnc/KhCk3FhnpHZnQz7B
5aETbbIgmuvewdjvSBSjYzBhMA4GA1UdDwEB/wQEAwICpDATBgNVHSUEDDAKBggr
BgEFBQcDATAPBgNVHRMBAf8EBTADAQH/MCkGA1UdEQQiMCCCDmxvY2FsaG9zdDo1
NDUzgg4xMjcuMC4wLjE6NTQ1MzAKBggqhkjOPQQDAgNIADBFAiEA2zpJEPQyz6/l
Wf86aX6PepsntZv2GYlA5UpabfT2EZICICpJ5h/iI+i341gBmLiAFQOyTDT+/wQc
6MF9+Yw1Yy0t
-----END CERTIFICATE-----
`;

const minors = ['v1.37', 'v1.38'] as const;

/** Returns the messages of v1.37 and v1.38; undefined where the write is accepted. */
async function messages(written: Parameters<typeof write>[0]): Promise<(string | undefined)[]> {
  const answers = await Promise.all(minors.map(kubernetesVersion => write({ ...written, kubernetesVersion })));
  return answers.map(({ message }) => message);
}

describe('since v1.38', () => {
  it('declared rules of a claim are refused in the same words', async () => {
    const devices = {
      requests: [{ name: 'A_b', exactly: { deviceClassName: 'X_y', allocationMode: 'Some' } }],
      config: [{ requests: ['a', 'a'] }],
    };
    const object = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'x' }, spec: { devices } };
    const [before, after] = await messages({ path: '/apis/resource.k8s.io/v1/namespaces/n/resourceclaims', object });
    expect(after).toContain(
      'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    );
    expect(after).toContain('spec.devices.config[0].requests[1]: Duplicate value: "a"');
    expect(after).toBe(before);
  });

  it('a strategic merge patch keeps the members that it does not name as they were written', async () => {
    const revision = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: 'r' },
      data: { z: 1, a: '<&\u2028>' },
      revision: 1,
    };
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const statuses = async (minor: (typeof minors)[number], patches: readonly object[]): Promise<number[]> => {
      const { request } = newServedCluster([], apiServers({ minor }));
      await request('POST', path, { body: revision });
      const replies = await Promise.all(patches.map(body => request('PATCH', `${path}/r`, { body, headers })));
      return replies.map(({ status }) => status);
    };
    const patches = [{ metadata: { labels: { a: 'b' } } }, { data: { z: 1 } }, { $retainKeys: ['metadata', 'data', 'revision'] }];
    expect(await statuses('v1.38', patches)).toEqual([200, 422, 422]);
    expect(await statuses('v1.37', patches.slice(0, 1))).toEqual([422]);
  });

  it('keys of managed fields have no escapes of HTML', async () => {
    const fields = async (minor: (typeof minors)[number]): Promise<unknown> => {
      const { request } = newServedCluster([], apiServers({ minor }));
      const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: '<b>&\u2028"\\u003c' };
      const metadata = { name: 'c', ownerReferences: [owner] };
      const { body } = await request('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata } });
      const [entry] = valueAt(toValue(JSON.parse(String(body))), 'metadata', 'managedFields') as readonly Value[];
      const references = valueAt(entry, 'fieldsV1', 'f:metadata', 'f:ownerReferences');
      return isMap(references) ? [...references.keys()][1] : references;
    };
    expect(await fields('v1.38')).toBe('k:{"uid":"<b>&\u2028\\"\\\\u003c"}');
    expect(await fields('v1.37')).toBe('k:{"uid":"\\u003cb\\u003e\\u0026\\u2028\\"\\\\u003c"}');
  });

  it('an error of a selector stays beside the error that it cannot be changed', async () => {
    const selector = (operator: string): object => ({ matchExpressions: [{ key: 'a', operator, values: ['b'] }] });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const set = (operator: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 's' },
      spec: { selector: selector(operator), serviceName: '', template },
    });
    const { request } = newServedCluster([], apiServers({ minor: 'v1.38' }));
    const path = '/apis/apps/v1/namespaces/default/statefulsets';
    await request('POST', path, { body: set('In') });
    const { body } = await request('PUT', `${path}/s`, { body: set('Near') });
    const shown = '{"matchExpressions":[{"key":"a","operator":"Near","values":["b"]}]}';
    expect((JSON.parse(String(body)) as { message: string }).message).toContain(
      `spec.selector: Invalid value: ${shown}, spec.selector: Invalid value: null: field is immutable`,
    );
  });

  it('the version is named as it is written', async () => {
    const refused = async (minor: (typeof minors)[number]): Promise<string> => {
      const { request } = newServedCluster([], apiServers({ minor }));
      const body = '{"apiVersion":"v1","kind":"ConfigMap","Apiversion":true}';
      return String((await request('POST', '/api/v1/namespaces/default/configmaps', { body })).body);
    };
    expect(await refused('v1.38')).toContain('cannot unmarshal bool into Go struct field .Apiversion of type string');
    expect(await refused('v1.37')).toContain('cannot unmarshal bool into Go struct field .apiVersion of type string');
  });

  it('bytes of a message that are not UTF-8 are no escapes', async () => {
    const sent = Buffer.from('{"apiVersion":"v1\xff","kind":"ConfigMap"}{}', 'latin1');
    const shown = async (minor: (typeof minors)[number]): Promise<string> => {
      const { request } = newServedCluster([], apiServers({ minor }));
      return String((await request('POST', '/api/v1/namespaces/default/configmaps', { body: sent })).body);
    };
    expect(await shown('v1.38')).toContain('\\"v1\ufffd\\"');
    expect(await shown('v1.37')).toContain('\\"v1\\ufffd\\"');
  });
});

/** Recorded from kube-apiserver v1.38.0-beta.0. */
describe('a ClusterTrustBundle', () => {
  const written = async (minor: 'v1.37' | 'v1.38', signerName: string): Promise<string> => {
    const { request } = newServedCluster([], apiServers({ minor }));
    const body = { metadata: { name: 'x:y:z' }, spec: { signerName, trustBundle: 'a' } };
    return String((await request('POST', '/apis/certificates.k8s.io/v1/clustertrustbundles', { body })).body);
  };

  it('shows the segment of a signer name that is wrong', async () => {
    const message = 'spec.signerName: Invalid value: \\"x\\": should be a domain with at least two segments separated by dots';
    for (const minor of minors) expect(await written(minor, 'x/y')).toContain(message);
    expect(await written('v1.38', 'x_/y')).toContain(
      'spec.signerName: Invalid value: \\"x_\\": validating label \\"x_\\": a lowercase RFC 1123 label',
    );
  });

  it('counts changes of its spec', async () => {
    const generations = async (minor: (typeof minors)[number]): Promise<unknown[]> => {
      const { request } = newServedCluster([], apiServers({ minor }));
      const path = '/apis/certificates.k8s.io/v1/clustertrustbundles';
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { metadata: { name: 'a.b:c:z' }, spec: { signerName: 'a.b/c', trustBundle: certificate } };
      const replies = [await request('POST', path, { body })];
      for (const change of [{ metadata: { labels: { a: 'b' } } }, { spec: { trustBundle: `${certificate}\n` } }])
        replies.push(await request('PATCH', `${path}/a.b:c:z`, { body: change, headers }));
      return replies.map(reply => (JSON.parse(String(reply.body)) as { metadata: { generation?: number } }).metadata.generation);
    };
    expect(await generations('v1.38')).toEqual([1, 1, 2]);
    expect(await generations('v1.37')).toEqual([undefined, undefined, undefined]);
  });
});
