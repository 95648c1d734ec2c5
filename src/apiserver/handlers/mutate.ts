import { isList, valueAt } from '../../go/value.js';
import type { Attributes } from '../admission/attributes.js';
import type { CallContext } from '../call/call-context.js';
import { restoreManagedFields } from '../patches/managed-fields/after-admission.js';
import { dedupeOwnerReferences } from './object-meta.js';

/** Runs the mutating phase and the handler's steps after it. Source: apiserver handlers/create.go, update.go, patch.go. */
export async function mutate(attributes: Attributes, context: CallContext): Promise<void> {
  const value = attributes.object?.value;
  const before = valueAt(value, 'metadata', 'managedFields');
  const entries = isList(before) ? [...before] : undefined;
  await context.chain.admit(attributes);
  if (value === undefined) return;
  const warning = restoreManagedFields(entries, value);
  if (warning !== undefined) context.record.warnings.push(warning);
  dedupeOwnerReferences(value, context, 'after mutation');
}
