import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { readData } from '../recorded/data-file.js';

/** A published OpenAPI document. */
export interface OpenApiDocument {
  /** `api/v1`, `apis/apps/v1`. */
  readonly path: string;
  readonly hash: string;
  readonly json: () => string;
}

/** OpenAPI documents of the built-in groups, as published by kube-apiserver: one line each, with path, hash and JSON. */
export const builtInDocuments = memoize((server: ApiServer): ReadonlyMap<string, OpenApiDocument> => {
  const bytes = readData(server, 'openapi.txt.br');
  const lines = new Map<string, OpenApiDocument>();
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const afterPath = bytes.indexOf(32, start);
    const afterHash = bytes.indexOf(32, afterPath + 1);
    const path = bytes.toString('latin1', start, afterPath);
    lines.set(path, {
      path,
      hash: bytes.toString('latin1', afterPath + 1, afterHash),
      json: () => bytes.toString('utf8', afterHash + 1, end),
    });
    start = end + 1;
  }
  return lines;
});
