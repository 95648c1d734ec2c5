// Written by `npm run build` from the other modules of this folder.

import type { CheckName } from '../../client/options/call-checks.js';
import type { CheckedCall, CheckResult } from './checked-call.js';
import { checkFinalizers } from './finalizers.js';
import { checkIdempotence } from './idempotent.js';
import { checkOrder } from './order.js';
import { checkReinvocation } from './reinvocation.js';
import { checkSideEffects } from './side-effects.js';
import { checkUnknownFields } from './unknown-fields.js';

/** The function of each check, which is in the file of its name. */
export const checkFunctions = {
  finalizers: checkFinalizers,
  idempotent: checkIdempotence,
  order: checkOrder,
  reinvocation: checkReinvocation,
  'side-effects': checkSideEffects,
  'unknown-fields': checkUnknownFields,
} satisfies Record<CheckName, (checked: CheckedCall) => Promise<CheckResult>>;
