import type { ApiServer } from '../../../../kubernetes/api-server.js';

/** Place of a value with rules. */
export interface RulePlace {
  readonly server: ApiServer;
  /** Field path; empty for a whole object. */
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** Receives warnings: rules that fail for unchanged values. */
  readonly warn: (text: string) => void;
}
