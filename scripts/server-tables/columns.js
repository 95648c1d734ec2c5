import { groupVersionPath } from './client.js';

const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Columns of the Tables of each resource, equal in all versions: name, type, format, index of the description, priority. */
export async function columnsOf(client) {
  const texts = [];
  const indexOf = text => {
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text);
  };
  const resources = {};
  for (const { key, path } of await listPaths(client)) {
    const { columnDefinitions } = await client.json(`${path}?limit=1`, { accept: asTable });
    const rows = columnDefinitions.map(({ name, type, format, description, priority }) => [
      name,
      type,
      format,
      indexOf(description),
      priority,
    ]);
    const known = resources[key];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(rows)) throw new Error(`${path} has other columns than ${key}`);
    resources[key] = rows;
  }
  return { texts, resources };
}

async function listPaths(client) {
  const groups = await client.groups();
  return groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources
        .filter(({ verbs }) => verbs.includes('list'))
        .map(({ resource }) => ({
          key: `${group}/*/${resource}`,
          path: `${groupVersionPath(group, version)}/${resource}`,
        })),
    ),
  );
}
