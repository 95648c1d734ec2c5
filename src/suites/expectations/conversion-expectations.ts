import { fieldPathText } from '../../client/field-path.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import type { ConversionFinding } from '../conversions/checks.js';
import type { ConversionRun, ReportedConversion } from '../conversions/conversion-run.js';
import { changesText, covers, type FieldDifference } from '../conversions/differences.js';
import type { TestFailure } from '../results.js';
import { snapshotDiff } from '../snapshots/compare.js';
import type { ConversionExpectation } from '../suite.js';
import { fieldFailures, fits, matcherText, textFailures } from './expectations.js';
import { failureDifferences } from './failed-calls.js';

/**
 * Returns the expectations of a conversion case that do not hold: per conversion, then for the findings. Unexpected findings always fail.
 */
export function conversionFailures(expect: ConversionExpectation, { conversions, findings = [] }: ConversionRun): TestFailure[] {
  const isOne = conversions.length === 1;
  return [
    ...conversions.flatMap(conversion =>
      failuresOfOne(expect, conversion).map(failure => ({
        ...failure,
        message: isOne ? failure.message : `${titleOf(conversion)}: ${failure.message}`,
      })),
    ),
    ...missingVersions(expect, conversions),
    ...findings.flatMap(finding => findingFailures(expect, finding)),
    ...outdatedExpectations(expect, findings),
  ];
}

/** Reports whether a case expects findings other than lost fields. */
function isExpectedFinding({ findings = [] }: ConversionExpectation, { message }: Pick<ConversionFinding, 'message'>): boolean {
  return findings.some(({ value }) => fits(value, message));
}

/** `Lamp team/w1 v1 -> v2 -> v1: spec.color is lost` */
export function findingText({ object, versions, message }: Pick<ConversionFinding, 'object' | 'versions' | 'message'>): string {
  return `${object} ${versions.join(' -> ')}: ${message}`;
}

/** `Lamp team/w1 v1 -> v2` */
function titleOf({ object, from, to }: ReportedConversion): string {
  return `${object} ${from} -> ${to}`;
}

function failuresOfOne(expect: ConversionExpectation, conversion: ReportedConversion): TestFailure[] {
  const object = conversion.outcome === 'converted' ? conversion.converted : undefined;
  const fields = (expect.object ?? []).filter(({ value: { to } }) => to === undefined || to === conversion.to);
  return [
    ...outcomeFailures(expect, conversion),
    ...messageFailures(expect, conversion),
    ...failedCallFailures(expect, conversion),
    ...fields.flatMap(field => fieldFailures(field, object)),
  ];
}

function outcomeFailures({ converted }: ConversionExpectation, conversion: ReportedConversion): TestFailure[] {
  if (converted === undefined || converted.value === (conversion.outcome === 'converted')) return [];
  const message =
    conversion.outcome === 'converted'
      ? 'expected the conversion to fail, but it succeeded'
      : `expected the conversion to succeed, but it failed\n${conversion.message}`;
  return [{ check: 'converted', message, place: converted.place }];
}

function messageFailures({ message }: ConversionExpectation, conversion: ReportedConversion): TestFailure[] {
  if (message === undefined) return [];
  if (conversion.outcome === 'failed') return textFailures('message', message, conversion.message);
  const { value, place } = message;
  return [{ check: 'message', message: 'expected the conversion to fail, but it succeeded', expected: matcherText(value), place }];
}

function failedCallFailures({ failure: expected }: ConversionExpectation, conversion: ReportedConversion): TestFailure[] {
  if (expected === undefined) return [];
  const failureClass = conversion.outcome === 'failed' ? conversion.failure?.class : undefined;
  if (conversion.outcome === 'failed' && failureClass !== undefined)
    return failureDifferences(expected, { class: failureClass, message: conversion.message });
  return [{ check: 'failure', message: 'expected a failed webhook call, but no webhook call failed', place: expected.place }];
}

function missingVersions({ object = [] }: ConversionExpectation, conversions: readonly ReportedConversion[]): TestFailure[] {
  const made = new Set(conversions.map(({ to }) => to));
  return object.flatMap(({ value: { to }, place }) =>
    to === undefined || made.has(to)
      ? []
      : [{ check: 'object', message: `no object was converted to ${to}, only to ${[...made].join(', ')}`, place }],
  );
}

function findingFailures(expect: ConversionExpectation, finding: ConversionFinding): TestFailure[] {
  const unknown = finding.check === 'round-trip' ? finding.fields.filter(field => !isKnownLoss(expect, field)) : finding.fields;
  if (finding.check === 'round-trip' ? unknown.length === 0 : isExpectedFinding(expect, finding)) return [];
  const message = unknown.length === finding.fields.length ? finding.message : changesText(unknown);
  const { before, after } = finding;
  const diff = before === undefined || after === undefined ? {} : { diff: snapshotDiff(writeYaml(before), writeYaml(after)) };
  return [{ check: finding.check, message: findingText({ ...finding, message }), ...diff }];
}

function isKnownLoss({ lost = [] }: ConversionExpectation, difference: FieldDifference): boolean {
  return lost.some(({ value }) => covers(value, difference));
}

/** An expectation that no longer applies would hide the finding when it returns. */
function outdatedExpectations({ lost = [], findings = [] }: ConversionExpectation, found: readonly ConversionFinding[]): TestFailure[] {
  const differences = found.flatMap(({ check, fields }) => (check === 'round-trip' ? fields : []));
  const others = found.filter(({ check }) => check !== 'round-trip');
  return [
    ...lost.flatMap(({ value, place }) =>
      differences.some(difference => covers(value, difference))
        ? []
        : [{ check: 'lost', message: `expected ${fieldPathText(value)} to be lost, but it is unchanged after the round trip`, place }],
    ),
    ...findings.flatMap(({ value, place }) =>
      others.some(({ message }) => fits(value, message))
        ? []
        : [{ check: 'findings', message: 'no such finding', expected: matcherText(value), place }],
    ),
  ];
}
