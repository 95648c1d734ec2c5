import type { ServedCluster } from './served-cluster.js';

const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Returns the cells of a list's rows. */
export async function tableRows({ request }: ServedCluster, path: string): Promise<unknown[][]> {
  const { body } = await request('GET', path, { headers });
  return JSON.parse(String(body)).rows.map(({ cells }: { cells: unknown[] }) => cells);
}
