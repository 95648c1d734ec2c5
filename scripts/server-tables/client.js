const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Returns a client of one API server. Its requests throw unless the answer is a success. */
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
  return { port, text, json, discovery: root => json(root, { accept: aggregated }) };
}
