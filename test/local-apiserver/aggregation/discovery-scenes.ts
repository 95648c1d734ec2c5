import { type Answer, json } from './aggregated-server.js';
import { apiService, apiServices, changeSpec, group, type World } from './world.js';

type Step = (step: string, work: Promise<unknown>) => Promise<void>;

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Discovery of the available version `v1`, and of others beside it. */
export async function playDiscovery(world: World): Promise<Record<string, unknown>> {
  const { ask, must, condition, backend } = world;
  const recorded: Record<string, unknown> = {};
  const record: Step = async (step, work) => {
    recorded[step] = await work;
  };
  const service = { name: 'wares', namespace: 'shop', port: backend.port };
  const remote = { service, caBundle: backend.caBundle };
  await record(
    'aggregated from legacy',
    eventually(() => aggregatedGroups(world), 'Current'),
  );
  await record('groups', groups(world));
  backend.answers.set('/apis', ownDiscovery());
  await changeSpec(world, `v1.${group}`, { versionPriority: 20 });
  await record(
    'aggregated from aggregated',
    eventually(() => aggregatedGroups(world), 'crates'),
  );
  await must('POST', apiServices, apiService('v2alpha1', { spec: { ...remote, versionPriority: 100 } }));
  await record('version without resources', condition(`v2alpha1.${group}`, 'FailedDiscoveryCheck'));
  await record('versions by priority', ask('GET', `/apis/${group}`));
  await record('groups with two versions', groups(world));
  await must('POST', apiServices, apiService('v1', { of: 'aaa.example.com', spec: { groupPriorityMinimum: 19_000 } }));
  await record('local without a server', condition('v1.aaa.example.com', 'Local'));
  await record('groups with a local one', groups(world));
  await record('its group', ask('GET', '/apis/aaa.example.com'));
  await record('its version', ask('GET', '/apis/aaa.example.com/v1'));
  await record('its resources', ask('GET', '/apis/aaa.example.com/v1/things'));
  await changeSpec(world, `v2alpha1.${group}`, { groupPriorityMinimum: 17_950 });
  await record(
    'groups by priority',
    eventually(() => groups(world), 'wares', 1),
  );
  await record(
    'aggregated by priority',
    eventually(() => aggregatedGroups(world), 'Stale'),
  );
  await must('POST', definitions, definition());
  await eventually(() => aggregatedGroups(world), '"v3"');
  // Its priority is set after its resources.
  await new Promise(resolve => setTimeout(resolve, 500));
  await record('definition in the group', aggregatedGroups(world));
  await record('versions with a definition', ask('GET', `/apis/${group}`));
  await record(
    'objects of the definition',
    eventually(() => ask('GET', `/apis/${group}/v3/barrels`), 'BarrelList').then(({ status }) => status),
  );
  await record('served version of the service', ask('GET', `/apis/${group}/v1/barrels`));
  await must('DELETE', `${definitions}/barrels.${group}`);
  await must('DELETE', `${apiServices}/v1.aaa.example.com`);
  await must('DELETE', `${apiServices}/v2alpha1.${group}`);
  await record(
    'group of a deleted APIService',
    eventually(() => ask('GET', '/apis/aaa.example.com'), '404'),
  );
  await record('path of a deleted APIService', ask('GET', `/apis/${group}/v2alpha1/wares`));
  await record('table', cells(world));
  return recorded;
}

/** What `kubectl get apiservice` shows, without the age. */
async function cells({ must }: World): Promise<unknown> {
  const { columnDefinitions, rows } = (await must('GET', `${apiServices}/v1.${group}`, undefined, [
    'Accept: application/json;as=Table;v=v1;g=meta.k8s.io',
  ])) as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  return [columnDefinitions.map(({ name }) => name), ...rows.map(row => row.cells.slice(0, -1))];
}

/** Names and versions of all groups in order. */
async function groups({ must }: World): Promise<string[]> {
  const { groups: listed } = (await must('GET', '/apis')) as { groups: { name: string; versions: { version: string }[] }[] };
  return listed.map(({ name, versions }) => `${name}: ${versions.map(({ version }) => version).join(' ')}`);
}

/** Groups of aggregated discovery in order; those of the aggregated server with their resources. */
async function aggregatedGroups({ must }: World): Promise<unknown[]> {
  const { items } = (await must('GET', '/apis', undefined, [`Accept: ${aggregated}`])) as {
    items: { metadata: { name: string; creationTimestamp: unknown }; versions: { version: string }[] }[];
  };
  return items.map(item =>
    item.metadata.name === group ? item : `${item.metadata.name}: ${item.versions.map(({ version }) => version).join(' ')}`,
  );
}

/** Asks again until the answer contains a text this often at least; discovery follows its objects a moment later. */
async function eventually<T>(ask: () => Promise<T>, text: string, times = 1): Promise<T> {
  for (const end = Date.now() + 20_000; ; ) {
    const answer = await ask();
    if (JSON.stringify(answer).replaceAll('\\"', '"').split(text).length > times || Date.now() > end) return answer;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Aggregated discovery of a server, with members that no API server writes, and without some that it does. */
function ownDiscovery(): Answer {
  const resources = [
    {
      resource: 'crates',
      responseKind: { group: '', version: '', kind: 'Crate' },
      scope: 'Namespaced',
      singularResource: 'crate',
      verbs: ['get', 'list'],
      categories: ['all'],
      subresources: [{ subresource: 'open', verbs: ['create'], acceptedTypes: [{ group: 'a', version: 'b', kind: 'Open' }], unknown: 1 }],
    },
    { resource: 'bare', scope: 'Cluster' },
  ];
  const items = [
    { metadata: { name: group }, versions: [{ version: 'v1', resources, freshness: 'Current' }] },
    { metadata: { name: 'other.example.com' }, versions: [{ version: 'v1', resources }] },
  ];
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  return (_, response) => json(response, 200, body, { 'Content-Type': aggregated });
}

function definition(): object {
  const names = { plural: 'barrels', singular: 'barrel', kind: 'Barrel', listKind: 'BarrelList' };
  const version = (name: string): object => ({
    name,
    served: true,
    storage: name === 'v3',
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `barrels.${group}` },
    spec: { group, scope: 'Cluster', names, versions: [version('v3'), version('v1')] },
  };
}
