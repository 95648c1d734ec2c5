import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';

/** Who decides which requests are allowed. */
export interface Authorization {
  /** Modes in their order; those of `others` are asked there. */
  readonly modes: readonly string[];
  readonly others: ReadonlyMap<string, OtherAuthorizer> | undefined;
}
