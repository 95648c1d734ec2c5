import { conversion } from './conversion.js';
import { crash } from './crash.js';
import { dryRun } from './dry-run.js';
import type { CallCheck, FuzzCheckName } from './finding.js';
import { invalidObject } from './invalid-object.js';
import { invalidResponse } from './invalid-response.js';
import { lostField } from './lost-field.js';
import { notIdempotent } from './not-idempotent.js';
import { refusesUnchanged } from './refuses-unchanged.js';
import { slow } from './slow.js';

/** The checks of calls. Others need several calls of a run, or are searches of their own. */
const checks: Readonly<Partial<Record<FuzzCheckName, CallCheck>>> = {
  crash,
  'invalid-response': invalidResponse,
  'invalid-object': invalidObject,
  'lost-field': lostField,
  'not-idempotent': notIdempotent,
  'dry-run': dryRun,
  'refuses-unchanged': refusesUnchanged,
  slow,
  conversion,
};

/** Returns the checks of calls among the chosen ones, in their order. */
export function checksOf(chosen: readonly FuzzCheckName[]): CallCheck[] {
  return chosen.flatMap(name => checks[name] ?? []);
}
