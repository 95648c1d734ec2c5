import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiServers } from '../../support/server.js';
import { newServedCluster } from '../support/served-cluster.js';

interface Recorded {
  readonly withTables: readonly string[];
  readonly withoutTables: readonly string[];
}

/** Endpoints that kube-apiserver with all APIs refuses to show as a Table, and those that it shows: `group/version resource method`. */
const recorded: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync('fixtures/local-apiserver/endpoints-with-tables.json', 'utf8'),
);
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const message = 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

const clusterScoped =
  /^(v1 (namespaces|nodes|persistentvolumes)|.* (\S*reviews|apiservices|customresourcedefinitions|certificatesigningrequests|devicetaintrules|resourcepoolstatusrequests)\b)/;

/** Returns the path of an endpoint, of an object that does not exist. */
function pathOf(endpoint: string): string {
  const [groupVersion = '', resource = '', method] = endpoint.split(' ');
  const [name, subresource] = resource.split('/');
  const base = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const isNamespaced = !clusterScoped.test(endpoint) || name === 'localsubjectaccessreviews';
  const object = subresource === undefined ? (method === 'GET' ? '/x' : '') : `/x/${subresource}`;
  return `${base}${isNamespaced ? '/namespaces/default' : ''}/${name}${object}`;
}

describe.each(Object.entries(recorded))('endpoints of kube-apiserver %s', (version, { withTables, withoutTables }) => {
  const flags = ['--runtime-config=api/all=true'];
  const { request } = newServedCluster(flags, apiServers({ minor: version.startsWith('v1.37') ? 'v1.37' : 'v1.36' }));

  const ask = (endpoint: string) => {
    const method = endpoint.split(' ')[2] ?? '';
    return request(method, pathOf(endpoint), { headers: { accept }, ...(method === 'GET' ? {} : { body: {} }) });
  };

  it.each(withoutTables)('%s: has no Tables', async endpoint => {
    const { status, body } = await ask(endpoint);
    expect({ status, message: JSON.parse(String(body)).message }).toEqual({ status: 406, message });
  });

  it('has Tables of subresources of stored objects', async () => {
    const subresources = withTables.filter(endpoint => endpoint.includes('/status GET') || endpoint.includes('/scale GET'));
    expect(subresources.length).toBeGreaterThan(20);
    for (const endpoint of subresources) expect([endpoint, (await ask(endpoint)).status]).toEqual([endpoint, 404]);
  });
});
