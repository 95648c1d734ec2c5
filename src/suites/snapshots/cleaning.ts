import { readUnstructured } from '../../encoding/unstructured.js';
import { isList, isMap, isRawJson, type Value } from '../../go/value.js';
import { withItems, withMembers } from '../../redaction/replaced.js';
import { withoutSecrets } from '../../redaction/secrets.js';
import type { Redaction } from '../suite.js';
import { redactObject, redactText } from './redact.js';
import type { Mask } from './volatile.js';

/** Functions that remove volatile values and secrets from a snapshot. */
export interface Cleaning {
  readonly redactions: readonly Redaction[];
  readonly mask: Mask;
}

/** An object without volatile values and secrets. */
export function cleanObject(object: Value, cleaning: Cleaning): Value {
  return cleanTexts(withoutSecrets(redactObject(object, cleaning.redactions)), cleaning);
}

/** Masks every string, but not the keys. */
export function cleanTexts(value: Value, cleaning: Cleaning): Value {
  if (typeof value === 'string') return cleaning.mask(redactText(value, cleaning.redactions));
  if (isRawJson(value)) return cleanTexts(readUnstructured(value.rawJson), cleaning);
  if (isList(value)) return withItems(value, item => cleanTexts(item, cleaning));
  return isMap(value) ? withMembers(value, member => cleanTexts(member, cleaning)) : value;
}
