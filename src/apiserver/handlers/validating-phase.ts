import type { Attributes } from '../admission/attributes.js';
import type { CallContext, VerbAnswer } from '../call/call-context.js';

/**
 * Runs the validating phase, then stores the object with `store`. Throws the refusal of the phase, and tells those who ask for it what would have been
 * stored without it.
 */
export async function storeIfValid(
  attributes: Attributes,
  { chain, effects: { onRefused } }: CallContext,
  store: () => Promise<VerbAnswer>,
): Promise<VerbAnswer> {
  try {
    await chain.validate(attributes);
  } catch (error) {
    onRefused?.(async () => (await store()).object);
    throw error;
  }
  return await store();
}
