import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { strangerOf } from '../../files/only-own.js';
import { readRegularFile } from '../../files/read-file.js';
import { writeWhole } from '../../files/replace-file.js';
import type { StoreContents } from '../../local-apiserver/store/store.js';
import { answerText } from './answer-text.js';
import { dataFolderPath } from './health-server.js';

/** Keeps the objects of a server between restarts, in the data folder of etcd: as long as the etcd process lives. */
export interface KeptObjects {
  /** Contents of the server before; undefined for the first one. */
  readonly contents: StoreContents | undefined;
  keep(contents: StoreContents): Promise<void>;
}

const fileName = 'webhook-cli-objects';
const patienceMs = 2000;
const checksumBytes = 32;
/** Linux limits paths to 4096 bytes. */
const maxPathBytes = 4096;

/**
 * Asks etcd for its folder and reads the objects there. Another etcd, or none, keeps nothing, and neither does a folder of another user: who listens at
 * a port is not known. A file that is damaged is ignored.
 */
export async function readKeptObjects(etcdServers: readonly string[]): Promise<KeptObjects> {
  const asked = await Promise.all(etcdServers.filter(url => url.startsWith('http://')).map(askForDataFolder));
  const folder = asked.find(answer => answer !== undefined && isOwnFolder(answer));
  if (folder === undefined) return { contents: undefined, keep: async () => undefined };
  const file = path.join(folder, fileName);
  return {
    contents: readContents(file),
    keep: async contents => {
      const data = serialize(contents);
      try {
        await writeWhole(file, Buffer.concat([checksumOf(data), data]), 0o600);
      } catch {
        // The folder is removed with the test environment.
      }
    },
  };
}

function isOwnFolder(folder: string): boolean {
  try {
    return strangerOf(lstatSync(folder), process.geteuid?.(), 0o002) === undefined;
  } catch {
    return false;
  }
}

/** V8 does not check what it deserializes. */
function readContents(file: string): StoreContents | undefined {
  try {
    const bytes = readRegularFile(file);
    const data = bytes.subarray(checksumBytes);
    if (!checksumOf(data).equals(bytes.subarray(0, checksumBytes))) return undefined;
    const contents: Partial<StoreContents> = deserialize(data);
    // Another version of the program may have written the file.
    return contents.collections instanceof Map ? (contents as StoreContents) : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function askForDataFolder(url: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const signal = AbortSignal.timeout(patienceMs);
    const asked = get(`${url.replace(/\/$/, '')}${dataFolderPath}`, { agent: false, signal }, response =>
      resolve(readFolderAnswer(response)),
    );
    asked.on('error', () => resolve(undefined));
  });
}

async function readFolderAnswer(response: IncomingMessage): Promise<string | undefined> {
  try {
    const folder = await answerText(response, maxPathBytes);
    return response.statusCode === 200 && path.isAbsolute(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}
