import { writeValue } from '../../../go/json/write.js';
import type { ConversionFinding } from '../../../suites/conversions/checks.js';
import type { ReportedConversion } from '../../../suites/conversions/conversion-run.js';
import type { CaseConversion } from '../../../suites/results.js';
import { objectDiffLines } from '../../diff.js';
import { exchangePart } from './call.js';
import { element, type Html } from './elements.js';
import { diffBlock } from './texts.js';

/** The conversions of a case: what each object became, what the round trips found, and what went over the wire. */
export function conversionSection({ conversions, findings = [], exchanges }: CaseConversion): Html {
  return element('section', {}, conversions.map(conversionPart), findings.map(findingPart), exchanges.map(exchangePart));
}

function conversionPart(conversion: ReportedConversion): Html {
  const { object, from, to, stored } = conversion;
  const title = element('h3', {}, `${object} ${from} -> ${to}`);
  if (conversion.outcome === 'failed')
    return element('div', {}, title, element('p', { class: 'failed' }, 'failed'), element('p', { class: 'quiet' }, conversion.message));
  const change = { before: writeValue(stored, 'sorted'), after: writeValue(conversion.converted, 'sorted') };
  return element(
    'div',
    {},
    title,
    element('p', { class: 'passed' }, conversion.calledWebhook ? 'converted' : 'converted without the webhook'),
    diffBlock(objectDiffLines(change)),
  );
}

function findingPart({ check, object, versions, message }: ConversionFinding): Html {
  return element('p', {}, element('b', {}, check), ` ${object} ${versions.join(' -> ')}: ${message}`);
}
