import type { FlagFields } from './flag-fields.js';

/** Fields of suite files that are flags of the command line, under their own names. */
export interface SuiteFields {
  /** Flags of a call, for cases and as defaults of suites. */
  readonly call: FlagFields;
  /** Flags of a conversion, for conversion cases. */
  readonly conversion: FlagFields;
  /** Flags that configure webhooks and how to reach them, for suites. */
  readonly webhook: FlagFields;
}
