import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Style sheet and script of a page. */
export interface PageFiles {
  readonly style: string;
  readonly script: string;
}

/** Reads the files of the trace page, which the build makes from `pages/trace`. */
export function tracePageFiles(): PageFiles {
  return { style: builtText('trace.css'), script: builtText('trace.js') };
}

/** Reads the script of the HTML reports, which the build makes from `pages/report`. */
export function reportScript(): string {
  return builtText('report.js');
}

function builtText(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'page-files', name), 'utf8');
}

/** Returns a file of the playground by its path in the address, `/data/v1.37.json`; undefined if there is none. */
export function playgroundFile(name: string): Uint8Array | undefined {
  // No other names: nothing outside the folder can be read.
  if (!/^\/(?:data\/)?[\w-]+(?:\.[\w-]+)*\.\w+$/.test(name)) return undefined;
  try {
    return readFileSync(path.join(import.meta.dirname, 'page-files/playground', name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENAMETOOLONG'].includes(String(error.code))) return undefined;
    throw error;
  }
}
