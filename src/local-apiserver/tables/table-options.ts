import type { ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';

/** Options of a Table. */
export interface TableOptions {
  readonly version: string;
  /** `includeObject` of the query: Metadata by default. */
  readonly includeObject: string;
  readonly resource: Resource | undefined;
  readonly definition: ValueMap | undefined;
  /** Columns are omitted in later events of a watch. */
  readonly withColumns: boolean;
  readonly now: Date;
}
