import type { FlagFields } from './flag-fields.js';

/** What the fields of suite files may be: flags of the command line under their own names. */
export interface SuiteFields {
  /** What describes a call: of cases, and of suites for all their cases. */
  readonly call: FlagFields;
  /** What describes a conversion: of cases that convert. */
  readonly conversion: FlagFields;
  /** What says which webhooks there are and how to reach them: of suites. */
  readonly webhook: FlagFields;
}
