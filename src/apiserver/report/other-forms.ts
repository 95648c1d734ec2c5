import type { ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Answer } from './report.js';
import type { ShownToServing } from './serving.js';

/** Options of a Table. */
export interface TableOptions {
  readonly server: ApiServer;
  readonly version: string;
  /** `includeObject` of the query: Metadata by default. */
  readonly includeObject: string;
  readonly resource: Resource | undefined;
  readonly definition: ValueMap | undefined;
  /** Columns are omitted in later events of a watch. */
  readonly withColumns: boolean;
  readonly now: Date;
}

/** Answers that no handler of a resource writes. */
export interface OtherForms {
  /** Writes the contents of an answer as a Table. Throws the 400 for a wrong `includeObject`. */
  readonly tableOf: (shown: ShownToServing, options: TableOptions) => string;
  /** Returns the document at a path without a resource; undefined where it depends on a running server. Throws the 404 and 406. */
  readonly documentOf: (call: ApiCall, state: ClusterState) => Promise<Answer | undefined>;
}

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Loads the other forms of answers, which few calls need. */
    readonly otherForms: () => Promise<OtherForms>;
  }
}
