import type { Conversion } from '../apiserver/stored-conversions.js';
import type { Explanation } from '../apiserver/webhooks/failures/cause-of.js';
import { writeValue } from '../encoding/go-json.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { toValue, type Value, type ValueMap } from '../kubernetes/value.js';
import type { ConversionFinding } from '../suites/conversions/checks.js';
import { objectDiff } from './diff.js';
import { writeIndented } from './json.js';
import type { Palette } from './palette.js';
import { printable } from './printable.js';

/** A conversion with what a report says besides. */
export interface ReportedConversion {
  readonly conversion: Conversion;
  /** `Lamp team/w1` */
  readonly object: string;
  /** Versions without their group. */
  readonly from: string;
  readonly to: string;
  /** Why it failed; undefined when it did not. */
  readonly cause: Explanation | undefined;
}

/** What a run of `convert` found out. */
export interface ConversionRun {
  readonly conversions: readonly ReportedConversion[];
  /** Undefined: nobody asked for the checks. */
  readonly findings: readonly ConversionFinding[] | undefined;
  readonly notes: readonly string[];
}

/** For people: a headline for each conversion with what it changed, or why it failed; then what the checks found. */
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

/** The converted objects alone, as YAML documents. */
export function conversionYaml({ conversions }: ConversionRun): string {
  return conversions.flatMap(({ conversion }) => (conversion.outcome === 'converted' ? [writeYaml(conversion.object)] : [])).join('---\n');
}

/** For scripts: a ConversionReport. */
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

function conversionLines({ conversion, object, from, to, cause }: ReportedConversion, palette: Palette): string[] {
  const subject = palette.strong(printable(`${object}: ${from} -> ${to}`));
  if (conversion.outcome === 'failed') {
    const details = cause === undefined ? [] : [`${cause.fault}: ${cause.why}`, `try: ${cause.try}`];
    return [
      `${subject} ${palette.bad('failed')}`,
      ...[conversion.message, ...details].map(line => `    ${palette.quiet(printable(line))}`),
    ];
  }
  const asked = conversion.answered === undefined ? ' without the webhook' : '';
  return [`${subject} ${palette.good(`converted${asked}`)}`, ...diffOf(conversion.stored, conversion.object, palette)];
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

function conversionDocument({ conversion, object, from, to, cause }: ReportedConversion): Value {
  const outcome = { object, from, to, outcome: conversion.outcome };
  if (conversion.outcome === 'converted')
    return toValue({
      ...outcome,
      calledWebhook: conversion.answered !== undefined,
      stored: conversion.stored,
      converted: conversion.object,
    });
  const { message, stored } = conversion;
  const failure =
    cause === undefined
      ? null
      : { class: conversion.failureClass ?? null, cause: cause.id, fault: cause.fault, why: cause.why, try: cause.try };
  return toValue({ ...outcome, stored, message, failure });
}

function findingDocument({ check, object, versions, message, fields }: ConversionFinding): object {
  return { check, object, versions, message, fields };
}
