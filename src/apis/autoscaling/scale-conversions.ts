import { DecodeError } from '../../apiserver/objects/codec.js';
import type { ConversionRule, ConversionRules } from '../../apiserver/objects/conversion-rules.js';
import { compareKeys } from '../../go/json/write.js';
import { quote } from '../../go/quote.js';
import { isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseSelectorText, SelectorTextError, selectorText, type TextRequirement } from '../../kubernetes/selector-text.js';

const status: ConversionRule = { toInternal: statusToInternal, fromInternal: (value, server) => statusFromInternal(server, value) };

/**
 * The selector of a Scale is a string; the old versions had labels first, and later both. Source: kubernetes pkg/apis/apps and extensions
 * conversion.go.
 */
export const scaleConversions: ConversionRules = {
  'apps/v1beta1.ScaleStatus': status,
  'apps/v1beta2.ScaleStatus': status,
  'extensions/v1beta1.ScaleStatus': status,
};

function statusToInternal(value: ValueMap): void {
  const text = stringAt(value, 'targetSelector');
  const labels = value.get('selector');
  value.delete('targetSelector');
  value.delete('selector');
  const selector = text === '' && isMap(labels) ? selectorText(equalities(labels)) : text;
  if (selector !== '') value.set('selector', selector);
}

/** Formats labels as a selector. Nothing is validated here: invalid labels are found when the text is parsed again. */
function equalities(labels: ValueMap): TextRequirement[] {
  return [...labels]
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([key, value]) => ({ key, operator: '=', values: typeof value === 'string' ? [value] : [] }));
}

function statusFromInternal(server: ApiServer, value: ValueMap): void {
  const text = stringAt(value, 'selector');
  value.delete('selector');
  if (text !== '') value.set('targetSelector', text);
  const requirements = requirementsOf(server, text);
  if (requirements.every(isEquality)) value.set('selector', labelsOf(requirements));
}

function isEquality({ operator }: TextRequirement): boolean {
  return operator === '=' || operator === '==';
}

function labelsOf(requirements: readonly TextRequirement[]): Value {
  return new Map(requirements.map(({ key, values: [value = ''] }) => [key, value]));
}

/** Source: meta/v1 ParseToLabelSelector. */
function requirementsOf(server: ApiServer, text: string): readonly TextRequirement[] {
  try {
    const requirements = parseSelectorText(server, text);
    for (const { operator } of requirements) {
      if (operator === 'gt' || operator === 'lt') throw unreadable(`${quote(operator)} isn't supported in label selectors`);
      if (operator === '!=') throw unreadable('"!=" is not a valid label selector operator');
    }
    return requirements;
  } catch (error) {
    if (error instanceof SelectorTextError) throw unreadable(`couldn't parse the selector string "${text}": ${error.message}`);
    throw error;
  }
}

function unreadable(message: string): DecodeError {
  return new DecodeError(`failed to parse selector: ${message}`);
}
