import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { StoreContents } from '../../local-apiserver/store/store.js';
import { dataFolderPath } from './health-server.js';

/** Keeps the objects of a server between restarts, in the data folder of etcd: as long as the etcd process lives. */
export interface KeptObjects {
  /** Contents of the server before; undefined for the first one. */
  readonly contents: StoreContents | undefined;
  keep(contents: StoreContents): void;
}

const fileName = 'webhook-cli-objects';
const patienceMs = 2000;

/** Asks etcd for its folder and reads the objects there. Another etcd, or none, keeps nothing. */
export async function keptObjects(etcdServers: readonly string[]): Promise<KeptObjects> {
  const asked = await Promise.all(etcdServers.filter(url => url.startsWith('http://')).map(dataFolderOf));
  const folder = asked.find(answer => answer !== undefined);
  if (folder === undefined) return { contents: undefined, keep: () => undefined };
  const file = path.join(folder, fileName);
  return {
    contents: readContents(file),
    keep: contents => {
      try {
        writeFileSync(file, serialize(contents), { mode: 0o600 });
      } catch {
        // The folder is removed with the test environment.
      }
    },
  };
}

function readContents(file: string): StoreContents | undefined {
  try {
    return deserialize(readFileSync(file));
  } catch {
    return undefined;
  }
}

function dataFolderOf(url: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const asked = get(`${url.replace(/\/$/, '')}${dataFolderPath}`, { agent: false, timeout: patienceMs }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const folder = Buffer.concat(chunks).toString('utf8');
        resolve(response.statusCode === 200 && path.isAbsolute(folder) ? folder : undefined);
      });
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(undefined));
  });
}
