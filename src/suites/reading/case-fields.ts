import { type CheckName, callCheckNames, isCheckName } from '../../client/options/call-checks.js';
import type { OptionTable, OptionValues } from '../../client/options/option.js';
import { flagName, pickOptions } from '../../client/options/option-names.js';
import { isMap } from '../../go/value.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import { hasExpectations } from '../evidence/untested.js';
import { InvalidSuite } from '../faults.js';
import { isScenarioName, type ScenarioName, scenarioNames } from '../scenarios/scenario.js';
import { snapshotFileName } from '../snapshot-name.js';
import type { CaseOptions, Redaction, SuiteCase } from '../suite.js';
import {
  checkConversion,
  checkConversionFields,
  isConversion,
  readConversionExpectation,
  refuseConversionExpectations,
} from './conversion-fields.js';
import { readExpectation } from './expectation-fields.js';
import {
  booleanOf,
  invalidField,
  items,
  memberField,
  members,
  noted,
  placeOfField,
  readMember,
  type SuiteField,
  textOfField,
  unexpected,
} from './field.js';
import { readFieldPath, readPattern } from './matchers.js';
import { type OptionFields, readOption, readOptions } from './option-fields.js';
import { checkHasCall, readSteps } from './step-fields.js';
import { callFields, conversionFields } from './suite-fields.js';

/** Fields of a case other than options. */
const ownCaseFields = ['name', 'expect', 'snapshot', 'redact', 'matrix', 'scenarios', 'steps', 'checks', 'skip', 'only'] as const;

/** Reads the cases of a suite, one per combination of their matrices; `stem` is the base name of the suite file. Throws InvalidSuite. */
export function readCases(suite: SuiteField, stem: string): SuiteCase[] {
  const list = memberField(suite, 'cases');
  if (list === undefined) throw invalidField(suite, 'has no cases');
  if (items(list).length === 0) throw invalidField(list, 'is empty: there is nothing to run');
  const defaults = {
    options: readOptions(suite, callFields),
    snapshot: snapshotOf(suite) ?? true,
    redactions: readRedactions(suite),
    checks: readMember(suite, 'checks', readChecks) ?? [],
  };
  const cases = items(list).flatMap(field => noted(field, () => readCase(field, defaults, stem)) ?? []);
  rejectDuplicates(suite, cases);
  return cases;
}

interface Defaults {
  readonly options: CaseOptions;
  readonly snapshot: boolean;
  readonly redactions: readonly Redaction[];
  readonly checks: SuiteCase['checks'];
}

function readCase(field: SuiteField, defaults: Defaults, stem: string): SuiteCase[] {
  members(field, [...new Set([...ownCaseFields, ...callFields.byField.keys(), ...conversionFields.byField.keys()])]);
  return isConversion(field) ? readConversionCase(field, defaults, stem) : readCallCase(field, defaults, stem);
}

function readCallCase(field: SuiteField, defaults: Defaults, stem: string): SuiteCase[] {
  const name = nameOf(field);
  const own = readOptions(field, callFields);
  const hasSteps = memberField(field, 'steps') !== undefined;
  const steps = readMember(field, 'steps', at => readSteps(at, field, { ...defaults.options, ...own }));
  const shared = {
    ...readShared(field, defaults),
    checks: readMember(field, 'checks', readChecks) ?? defaults.checks,
    expect: readMember(field, 'expect', readCallExpectation) ?? {},
    ...(steps === undefined ? {} : { steps }),
  };
  const hasSnapshot = snapshotOf(field) ?? defaults.snapshot;
  if (!hasSnapshot && !hasExpectations({ ...shared, options: {} })) throw comparesNothing(field);
  const choices = readMember(field, 'matrix', at => readMatrix(at, callFields)) ?? [noChoice];
  return choices.flatMap(choice => {
    const options = { ...defaults.options, ...own, ...choice.options };
    if (!hasSteps) checkCall(field, options);
    return (readMember(field, 'scenarios', variantsOf) ?? [{ labels: [] }]).map(variant => {
      const whole = wholeName(name, [...choice.labels, ...variant.labels]);
      const { scenario } = variant;
      const snapshot = hasSnapshot ? snapshotFileName(stem, whole) : undefined;
      return { ...shared, name: whole, options, snapshot, ...(scenario === undefined ? {} : { scenario }) };
    });
  });
}

/** A conversion case inherits only those defaults of the suite that apply to conversions. */
function readConversionCase(field: SuiteField, defaults: Defaults, stem: string): SuiteCase[] {
  const known = [...conversionFields.byField.keys()];
  checkConversionFields(field, known);
  const name = nameOf(field);
  const own = readOptions(field, conversionFields);
  const inherited = pickOptions(defaults.options, conversionFields.table);
  const conversion = readMember(field, 'expect', readConversionExpectation) ?? {};
  const shared = { ...readShared(field, defaults), checks: [], expect: {}, conversion };
  const hasSnapshot = snapshotOf(field) ?? defaults.snapshot;
  const choices = readMember(field, 'matrix', at => readMatrix(at, conversionFields)) ?? [noChoice];
  return choices.map(choice => {
    const options = { ...inherited, ...own, ...choice.options };
    checkConversion(field, options);
    if (!hasSnapshot && !hasExpectations({ ...shared, options })) throw comparesNothing(field);
    const whole = wholeName(name, choice.labels);
    // Without a version, nothing is converted and there is nothing to snapshot.
    const snapshot = hasSnapshot && options.to !== undefined ? snapshotFileName(stem, whole) : undefined;
    return { ...shared, name: whole, options, snapshot };
  });
}

function comparesNothing(field: SuiteField): InvalidSuite {
  return invalidField(field, 'compares nothing: it has no snapshot and expects nothing', {
    suggestions: ['add expect:', 'remove snapshot: false'],
  });
}

function readCallExpectation(field: SuiteField): SuiteCase['expect'] {
  refuseConversionExpectations(field);
  return readExpectation(field);
}

function nameOf(field: SuiteField): string {
  const name = readMember(field, 'name', at => textOfField(at)) ?? '';
  // An error of another member is not its cause.
  if (name === '') field.source.errors.push(invalidField(field, 'has no name', { suggestions: ['add a unique name'], pointer: undefined }));
  return name;
}

/** Without secrets, which a header of a matrix may have: it is printed, kept for `--last-failed`, and part of file names. */
function wholeName(name: string, labels: readonly string[]): string {
  return textWithoutSecrets(labels.length === 0 ? name : `${name} [${labels.join(', ')}]`);
}

/** Common parts of all cases of one entry. */
function readShared(field: SuiteField, defaults: Defaults): Pick<SuiteCase, 'place' | 'redactions' | 'skip' | 'only'> {
  return {
    place: placeOfField(field),
    redactions: [...defaults.redactions, ...readRedactions(field)],
    skip: readMember(field, 'skip', readSkip),
    only: readMember(field, 'only', booleanOf) ?? false,
  };
}

function readSkip(field: SuiteField): string | undefined {
  if (field.value === false) return undefined;
  return field.value === true ? 'skipped by the suite' : textOfField(field, 'the reason, or true');
}

function checkCall(field: SuiteField, options: CaseOptions): void {
  checkHasCall(field, options);
  const twice =
    memberField(field, 'scenarios') === undefined
      ? undefined
      : (['call', 'operation', 'subresource', 'old', 'createdPods'] as const).find(name => options[name] !== undefined);
  if (twice !== undefined)
    throw invalidField(field, `has both scenarios and ${flagName(twice)}`, {
      suggestions: [`remove ${flagName(twice)}: each scenario has its own`],
    });
}

/** One case, or one per scenario and its dry run. */
function variantsOf(field: SuiteField): { readonly labels: readonly string[]; readonly scenario?: SuiteCase['scenario'] }[] {
  return readScenarios(field).flatMap(name => [
    { labels: [name], scenario: { name, dryRun: false } },
    { labels: [name, 'dry run'], scenario: { name, dryRun: true } },
  ]);
}

function snapshotOf(field: SuiteField): boolean | undefined {
  return readMember(field, 'snapshot', booleanOf);
}

function rejectDuplicates({ source }: SuiteField, cases: readonly SuiteCase[]): void {
  const seen = new Map<string, SuiteCase>();
  for (const suiteCase of cases) {
    const first = seen.get(suiteCase.name);
    seen.set(suiteCase.name, suiteCase);
    if (first === undefined || suiteCase.name === '') continue;
    const message = `duplicate case name ${JSON.stringify(suiteCase.name)}, also used in line ${first.place.line}`;
    source.errors.push(new InvalidSuite(message, suiteCase.place, { suggestions: ['use unique names'] }));
  }
}

/** Reads `redact`, what snapshots ignore: paths, `{path, as}`, `{matches, as}`. */
function readRedactions(field: SuiteField): Redaction[] {
  return readMember(field, 'redact', list => items(list).flatMap(at => noted(at, () => readRedaction(at)) ?? [])) ?? [];
}

const redacted = '<redacted>';

function readRedaction(field: SuiteField): Redaction {
  if (!isMap(field.value)) return { path: readFieldPath(field), as: redacted };
  members(field, ['path', 'matches', 'as']);
  const [path, matches, replacement] = [memberField(field, 'path'), memberField(field, 'matches'), memberField(field, 'as')];
  const as = replacement === undefined ? redacted : textOfField(replacement);
  if (path !== undefined && matches === undefined) return { path: readFieldPath(path), as };
  if (matches !== undefined && path === undefined) return { pattern: readPattern(matches), as };
  throw unexpected(field, 'a map with either path or matches');
}

/** Reads the names in `checks`. Throws InvalidSuite. */
function readChecks(field: SuiteField): CheckName[] {
  return items(field).map(item => nameIn(item, { isName: isCheckName, known: callCheckNames, what: 'check' }));
}

/** Reads the scenarios in `scenarios`: `all`, or a list of names. Throws InvalidSuite. */
function readScenarios(field: SuiteField): readonly ScenarioName[] {
  if (field.value === 'all') return scenarioNames;
  if (items(field).length === 0) throw invalidField(field, 'is an empty list: no case would be left');
  return items(field).map(item => nameIn(item, { isName: isScenarioName, known: scenarioNames, what: 'scenario' }));
}

interface Names<T extends string> {
  readonly isName: (name: string) => name is T;
  readonly known: readonly T[];
  readonly what: string;
}

function nameIn<T extends string>(field: SuiteField, { isName, known, what }: Names<T>): T {
  const name = textOfField(field);
  if (isName(name)) return name;
  throw new InvalidSuite(`${field.name} is ${JSON.stringify(name)}, which is not a valid ${what}`, placeOfField(field), {
    unknown: { word: name, known },
    pointer: field.pointer,
  });
}

/** One combination of a matrix. */
interface Choice<T extends OptionTable> {
  /** Suffix of the case's name: `operation=update`, `as=jane`. */
  readonly labels: readonly string[];
  readonly options: OptionValues<T>;
}

/** The combination of a case without a matrix. */
const noChoice = { labels: [], options: {} } as const;

/** Maximum number of combinations: more are probably a mistake. */
const maxChoices = 10_000;

/**
 * Every combination of one value per field of a matrix, the last field changing first. Throws InvalidSuite.
 */
function readMatrix<T extends OptionTable>(field: SuiteField, fields: OptionFields<T>): Choice<T>[] {
  const none: Choice<T> = { labels: [], options: {} as OptionValues<T> };
  let choices = [none];
  for (const [name, values] of members(field, [...fields.byField.keys()])) {
    const axis = readAxis(name, values, fields);
    choices = choices.flatMap(choice =>
      axis.map(({ word, options }) => ({ labels: [...choice.labels, word], options: { ...choice.options, ...options } })),
    );
    if (choices.length > maxChoices) throw invalidField(field, `has more than ${maxChoices} combinations`);
  }
  return choices;
}

/** Reads the values of one field. */
function readAxis<T extends OptionTable>(
  name: string,
  field: SuiteField,
  fields: OptionFields<T>,
): { readonly word: string; readonly options: OptionValues<T> }[] {
  const values = items(field);
  if (values.length === 0) throw invalidField(field, 'is an empty list: no case would be left');
  return values.map(value => ({ word: `${name}=${wordOf(value)}`, options: readOption(name, value, fields) }));
}

/** As written in the suite file. */
function wordOf({ value }: SuiteField): string {
  if (Array.isArray(value)) return value.map(String).join('+');
  return String(value);
}
