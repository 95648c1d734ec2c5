const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Returns a client of one API server. Its requests throw unless the answer is a success. `groups` returns what the server serves. */
export function newClient(url, token) {
  const { port } = new URL(url);
  const send = async (path, { method = 'GET', accept = 'application/json', body } = {}) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: accept,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(new URL(path, url), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const text = path => send(path, { accept: '*/*' });
  const json = async (path, options) => JSON.parse(await send(path, options));
  const discovery = root => json(root, { accept: aggregated });
  const groups = async () => {
    const items = [...(await discovery('/api')).items, ...(await discovery('/apis')).items];
    return items.map(({ metadata: { name = '' }, versions }) => ({ group: name, versions }));
  };
  return { port, text, json, groups };
}

/** Path of the resources of a group version. */
export function groupVersionPath(group, version) {
  return `/${group === '' ? 'api' : `apis/${group}`}/${version}`;
}
