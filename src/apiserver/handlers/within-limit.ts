import type { CallContext, VerbAnswer } from '../call/call-context.js';
import { TooLargeError } from '../storage/store-limits.js';

type Attempt = (context: CallContext) => Promise<VerbAnswer>;

/**
 * Returns the answer of a write. If the object is too large for etcd, `withoutManagedFields` writes it again in a fresh context. Source: apiserver
 * handlers/create.go, update.go, patch.go isTooLargeError.
 */
export async function writeWithinLimit(write: Attempt, withoutManagedFields: Attempt, context: CallContext): Promise<VerbAnswer> {
  try {
    return await write(context);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return withoutManagedFields(context.again?.() ?? context);
  }
}
