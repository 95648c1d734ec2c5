import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

interface Recorded {
  /** `own`: asked when the schemas `lost` and `own` existed, too. */
  readonly part: 'bootstrap' | 'own';
  readonly user: { readonly username: string; readonly groups?: readonly string[] } | null;
  readonly method: string;
  readonly path: string;
  /** Names of the flow schema and the priority level whose uids are in the headers; null without the headers. */
  readonly schema: string | null;
  readonly level: string | null;
}

/** Requests of users, as kube-apiserver v1.36.3 and v1.37.2 classified them. */
const recorded: readonly Recorded[] = readFileSync('fixtures/local-apiserver/flow-schemas.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line));

const base = '/apis/flowcontrol.apiserver.k8s.io/v1';
const jane = {
  subjects: [{ kind: 'User', user: { name: 'jane' } }],
  resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['default'] }],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/livez/*', '/readyz'] }],
};
const accounts = {
  subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'default', name: '*' } }],
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['pods/log', 'services', 'namespaces'], clusterScope: true }],
};

function schemaNamed(name: string, level: string): object {
  const spec = { matchingPrecedence: 3, priorityLevelConfiguration: { name: level }, rules: [jane, accounts] };
  return { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', metadata: { name }, spec };
}

describe.each(['bootstrap', 'own'] as const)('flow schemas: %s', part => {
  it('are named in the headers of responses', async () => {
    const { request } = newServedCluster();
    if (part === 'own') {
      for (const body of [schemaNamed('lost', 'nowhere'), schemaNamed('own', 'global-default')])
        expect((await request('POST', `${base}/flowschemas`, { body })).status).toBe(201);
    }
    const names = new Map<string, string>();
    for (const kind of ['flowschemas', 'prioritylevelconfigurations']) {
      const { items } = JSON.parse(String((await request('GET', `${base}/${kind}`)).body));
      for (const { metadata } of items) names.set(metadata.uid, metadata.name);
    }
    for (const { user, method, path, schema, level } of recorded.filter(one => one.part === part)) {
      const impersonated = user === null ? {} : { 'impersonate-user': user.username };
      const groups = (user?.groups ?? []).map(group => ['impersonate-group', group] as const);
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      const { headers } = await request(method, path, { headers: impersonated, more: groups, ...body });
      const nameIn = (header: string): string | null => names.get(headers.find(([name]) => name === header)?.[1] ?? '') ?? null;
      const found = [nameIn('X-Kubernetes-Pf-Flowschema-Uid'), nameIn('X-Kubernetes-Pf-Prioritylevel-Uid')];
      expect([user?.username, method, path, ...found]).toEqual([user?.username, method, path, schema, level]);
    }
  });
});

it('has no headers for requests without valid credentials', async () => {
  const { request } = newServedCluster();
  const { status, headers } = await request('GET', '/api', { headers: { authorization: 'Bearer other' } });
  expect([status, headers.filter(([name]) => name.startsWith('X-Kubernetes'))]).toEqual([401, []]);
});
