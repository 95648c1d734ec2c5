import { flagName } from '../../client/options/option-names.js';
import type { CaseOptions, StepOptions, SuiteStep } from '../suite.js';
import { readExpectation } from './expectation-fields.js';
import { invalidField, items, memberField, members, noted, placeOfField, readMember, type SuiteField, textOfField } from './field.js';
import { readOptions } from './option-fields.js';
import { stepFields } from './suite-fields.js';

/** Fields of a step other than options. */
const ownStepFields = ['name', 'expect'] as const;

/** Fields of a case that make calls or expect something of all of them. */
const excludedFields = ['expect', 'scenarios'] as const;

/** Options of a case that its steps cannot have. */
const excludedOptions = ['createdPods', 'independent'] as const;

/** Reads `steps` of a case; `inherited` are the options of the case. Throws InvalidSuite. */
export function readSteps(field: SuiteField, ofCase: SuiteField, inherited: CaseOptions): SuiteStep[] {
  if (items(field).length === 0) throw invalidField(field, 'is an empty list: there is nothing to run');
  const both =
    excludedFields.find(name => memberField(ofCase, name) !== undefined) ?? excludedOptions.find(name => inherited[name] !== undefined);
  if (both !== undefined)
    throw invalidField(ofCase, `has both steps and ${flagName(both)}`, {
      suggestions: [both === 'expect' ? 'move expect: into the steps' : `remove ${flagName(both)}, or use another case`],
    });
  return items(field).flatMap(step => noted(step, () => readStep(step, inherited)) ?? []);
}

function readStep(field: SuiteField, inherited: StepOptions): SuiteStep {
  members(field, [...ownStepFields, ...stepFields.byField.keys()]);
  const own = readOptions(field, stepFields);
  // Exact calls take precedence over manifests: those of the case must not hide the manifest of a step.
  const options = own.filename === undefined ? own : { call: undefined, ...own };
  const whole = { ...inherited, ...options };
  noted(field, () => checkHasCall(field, whole));
  const place = placeOfField(field);
  return {
    name: readMember(field, 'name', at => textOfField(at)) ?? operationIn(whole),
    place,
    options,
    expect: readMember(field, 'expect', readExpectation) ?? { allowed: { value: true, place } },
  };
}

function operationIn({ call, operation = 'create' }: StepOptions): string {
  return call === undefined ? operation : 'call';
}

/** Throws InvalidSuite for a case or a step without a call. */
export function checkHasCall(field: SuiteField, { filename, call }: StepOptions): void {
  if (filename === undefined && call === undefined)
    throw invalidField(field, 'has no call', { suggestions: ['add filename: with a manifest, or call: with exact HTTP calls'] });
}
