import { writeYaml } from '../encoding/yaml-writer.js';
import { writeValue } from '../go/json/write.js';
import { toValue, type Value, type ValueMap } from '../go/value.js';
import type { ConversionFinding } from '../suites/conversions/checks.js';
import type { ConversionRun, ReportedConversion } from '../suites/conversions/conversion-run.js';
import { printable } from '../writers/printable.js';
import { objectDiff } from './diff.js';
import { writeIndented } from './json.js';
import type { Palette } from './palette.js';

/** Text report: a headline per conversion with its changes or its failure, then the findings of the checks. */
export function conversionText({ conversions, findings, notes }: ConversionRun, palette: Palette): string {
  const blocks = [
    ...conversions.map(reported => conversionLines(reported, palette)),
    ...(findings ?? []).map(finding => findingLines(finding, palette)),
    ...(findings === undefined
      ? []
      : [
          [
            findings.length === 0
              ? palette.good('nothing is lost')
              : palette.bad(findings.length === 1 ? '1 finding' : `${findings.length} findings`),
          ],
        ]),
    ...notes.map(note => [palette.quiet(`note: ${printable(note)}`)]),
  ];
  return `${blocks.map(lines => lines.join('\n')).join('\n')}\n`;
}

/** The converted objects as YAML documents. */
export function conversionYaml({ conversions }: ConversionRun): string {
  return conversions.flatMap(made => (made.outcome === 'converted' ? [writeYaml(made.converted)] : [])).join('---\n');
}

/** JSON report: a ConversionReport. */
export function conversionJson({ conversions, findings, notes }: ConversionRun): string {
  const document = new Map<string, Value>([
    ['apiVersion', 'webhook-cli.dev/v1alpha1'],
    ['kind', 'ConversionReport'],
    ['conversions', conversions.map(conversionDocument)],
    ['findings', findings === undefined ? null : toValue(findings.map(findingDocument))],
    ['notes', toValue(notes)],
  ]);
  return `${writeIndented(document)}\n`;
}

function conversionLines(conversion: ReportedConversion, palette: Palette): string[] {
  const { object, from, to, stored } = conversion;
  const subject = palette.strong(printable(`${object}: ${from} -> ${to}`));
  if (conversion.outcome === 'failed') {
    const { message, failure } = conversion;
    const details = failure === undefined ? [] : [`${failure.fault}: ${failure.why}`, `try: ${failure.try}`];
    return [`${subject} ${palette.bad('failed')}`, ...[message, ...details].map(line => `    ${palette.quiet(printable(line))}`)];
  }
  const asked = conversion.calledWebhook ? '' : ' without the webhook';
  return [`${subject} ${palette.good(`converted${asked}`)}`, ...diffOf(stored, conversion.converted, palette)];
}

function findingLines({ check, object, versions, message, fields, before, after }: ConversionFinding, palette: Palette): string[] {
  const values = fields.map(({ field, before: was, after: is }) => `    ${field}: ${was ?? 'nothing'} -> ${is ?? 'nothing'}`);
  const diff = before === undefined || after === undefined ? [] : diffOf(before, after, palette);
  return [
    `${palette.warning(check)}: ${palette.strong(printable(`${object} ${versions.join(' -> ')}`))}: ${printable(message)}`,
    ...(diff.length > 0 ? diff : values.map(line => palette.quiet(printable(line)))),
  ];
}

function diffOf(before: ValueMap, after: ValueMap, palette: Palette): string[] {
  const [left, right] = [writeValue(before, 'sorted'), writeValue(after, 'sorted')];
  return objectDiff({ before: left, after: right }, palette).map(line => `  ${line}`);
}

function conversionDocument(conversion: ReportedConversion): Value {
  const { object, from, to, outcome, stored } = conversion;
  if (conversion.outcome === 'converted') {
    const { calledWebhook, converted } = conversion;
    return toValue({ object, from, to, outcome, calledWebhook, stored, converted });
  }
  const { message, failure } = conversion;
  const why = failure === undefined ? null : { ...failure, class: failure.class ?? null };
  return toValue({ object, from, to, outcome, stored, message, failure: why });
}

function findingDocument({ check, object, versions, message, fields }: ConversionFinding): object {
  return { check, object, versions, message, fields };
}
