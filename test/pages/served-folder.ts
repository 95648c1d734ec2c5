import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type StaticServer, serveFiles } from '../../src/cli/commands/playground/run-playground.js';

/** Serves a folder as any web server would. */
export function serveFolder(folder: string): Promise<StaticServer> {
  const read = (name: string): Uint8Array | undefined => {
    const file = path.join(folder, name);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  return serveFiles(read, 0, process.stderr);
}
