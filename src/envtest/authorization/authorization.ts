import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';

/** Who decides which requests are allowed. */
export interface Authorization {
  /** Modes in their order; those of `others` are asked there. */
  readonly modes: readonly string[];
  readonly others: ReadonlyMap<string, OtherAuthorizer> | undefined;
}

/** The authorization at the start, and what happens to it later. */
export interface ReadAuthorization {
  readonly initial: Authorization;
  /** Calls a function with the authorization of a changed file; returns a function that stops it. Undefined without a file. */
  readonly follow: ((use: (authorization: Authorization) => void) => () => void) | undefined;
}
