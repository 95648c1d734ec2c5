import type { ValueMap } from '../go/value.js';

/** What clients did at an API server in a period. Leases and events do not count: clients write them at any time. */
export interface ClientActivity {
  /** Requests that read objects or lists, `GET /api/v1/namespaces/shop/configmaps/limits`: each once, sorted. */
  readonly reads: readonly string[];
  /** Changes of what is stored, in order. A dry run changes nothing. */
  readonly writes: readonly ClientWrite[];
}

export interface ClientWrite {
  /** Method and path, `POST /api/v1/namespaces/shop/configmaps`. */
  readonly request: string;
  readonly operation: 'create' | 'update' | 'delete';
  /** The object as stored; of a removal, as it was before. */
  readonly object: ValueMap;
}
