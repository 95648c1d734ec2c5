import { readUnstructured } from '../../encoding/unstructured.js';
import { isList, isMap, isRawJson, type Value } from '../../go/value.js';
import type { Redaction } from '../suite.js';
import { redactObject, redactText } from './redact.js';
import { withItems, withMembers } from './replaced.js';
import { withoutSecrets } from './secrets.js';
import type { Mask } from './volatile.js';

/** What nobody wants to look at in a snapshot. */
export interface Cleaning {
  readonly redactions: readonly Redaction[];
  readonly mask: Mask;
}

/** An object without what differs from run to run, and without secrets. */
export function cleanObject(object: Value, cleaning: Cleaning): Value {
  return cleanTexts(withoutSecrets(redactObject(object, cleaning.redactions)), cleaning);
}

/** Every text masked, keys aside. */
export function cleanTexts(value: Value, cleaning: Cleaning): Value {
  if (typeof value === 'string') return cleaning.mask(redactText(value, cleaning.redactions));
  if (isRawJson(value)) return cleanTexts(readUnstructured(value.rawJson), cleaning);
  if (isList(value)) return withItems(value, item => cleanTexts(item, cleaning));
  return isMap(value) ? withMembers(value, member => cleanTexts(member, cleaning)) : value;
}
