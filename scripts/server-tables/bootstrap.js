import { groupVersionPath } from './client.js';

const definitionGroup = 'apiextensions.k8s.io';

/** The objects of a new API server, one a line, in a fixed order, with placeholders for times and for what only this server has. */
export async function bootstrapLines(client) {
  const objects = [];
  for (const path of await preferredLists(client)) {
    const { apiVersion, kind, items } = await client.json(path);
    for (const item of items) objects.push({ apiVersion, kind: kind.replace(/List$/, ''), ...item });
  }
  const identity = objects.find(({ kind }) => kind === 'Lease')?.spec.holderIdentity;
  const lines = objects.filter(isLasting).map(object => placeholders(JSON.stringify(withoutIdentity(object)), client, identity));
  return lines
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map(line => `${line}\n`)
    .join('');
}

/** Lists of the preferred version of each resource; events exist in two groups. */
async function preferredLists(client) {
  const groups = await client.groups();
  return groups
    .filter(({ group }) => group !== 'events.k8s.io' && group !== definitionGroup)
    .flatMap(({ group, versions }) => listsOf(group, versions));
}

function listsOf(group, versions) {
  const seen = new Set();
  return versions.flatMap(({ version, resources }) =>
    resources
      .filter(({ resource, verbs }) => verbs.includes('list') && resource !== 'componentstatuses' && !seen.has(resource))
      .map(({ resource }) => {
        seen.add(resource);
        return `${groupVersionPath(group, version)}/${resource}`;
      }),
  );
}

/** Not what depends on the time that the server has run, and the accounts of namespaces, which src/local-apiserver makes. */
function isLasting({ kind }) {
  return kind !== 'Event' && kind !== 'ServiceAccount';
}

function withoutIdentity({ metadata, ...object }) {
  const { uid, resourceVersion, creationTimestamp, ...kept } = metadata;
  const { apiVersion, kind, ...others } = object;
  return { apiVersion, kind, metadata: kept, ...others };
}

function placeholders(line, { port }, holder = '') {
  const [identity, uid] = holder.replace(/^apiserver-/, '').split('_');
  const host = /"kubernetes\.io\/hostname":"([^"]+)"/.exec(line)?.[1];
  const named = [
    [identity, '{{identity}}'],
    [uid, '{{uid}}'],
    [host, '{{host}}'],
  ].filter(([value]) => value !== undefined && value !== '');
  const own = named.reduce((text, [value, name]) => text.replaceAll(value, name), line);
  return own
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, '{{microtime}}')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '{{time}}')
    .replace(/("since":")\d{4}-\d\d-\d\d"/g, '$1{{date}}"')
    .replace(new RegExp(`("(?:port|targetPort)":)${port}\\b`, 'g'), '$1{{port}}')
    .replace(new RegExp(`("kubernetes.io/peer-advertise-address":")[\\d.]+:${port}"`), '$1{{address}}:{{port}}"')
    .replace(/("ip":"|"endpoints":\[\{"addresses":\[")[\d.]+"/g, '$1{{address}}"');
}

function orderOf(line) {
  const { apiVersion, kind, metadata } = JSON.parse(line.replace(/\{\{port\}\}/g, '0'));
  const rank = kind === 'Namespace' ? 0 : 1;
  return [rank, apiVersion, kind, metadata.namespace ?? '', metadata.name].join('\n');
}
