import { isMap, mapAt } from '../../go/value.js';
import type { LintRule, LintSubject, RuleProblem, RuleTrial } from '../rule.js';

/** A validation rule reads an optional field without checking that it is set. */
export const ruleCanFail: LintRule = {
  id: 'rule-can-fail',
  severity: 'warning',
  reason: 'reading a missing field is an error: the API server refuses objects without it, though the rule accepts empty values',
  fix: 'check has(...) in the rule first, or use optional selection (self.?FIELD), or make the field required',
  check: subject =>
    failedRules(
      subject,
      missing => defaultsIn(missing).length === 0,
      ({ call, missing, error }) => {
        const objects = call === 'update' ? 'every update of an object' : 'an object';
        return `the rule fails for ${objects} without the optional field ${missing.path}: ${error}`;
      },
    ),
};

/** A validation rule relies on a default inside an optional object. */
export const defaultWithoutParent: LintRule = {
  id: 'default-without-parent',
  severity: 'warning',
  reason: 'defaults are applied only inside objects that are present: without the parent, reading the field is an error',
  fix: 'add default: {} to the parent, or check has(...) in the rule first',
  check: subject =>
    failedRules(
      subject,
      missing => defaultsIn(missing).length > 0,
      ({ missing, error }) =>
        `the default of ${missing.path}.${defaultsIn(missing)[0]} is not applied when the optional ${missing.path} is missing, and the rule fails: ${error}`,
    ),
};

async function failedRules(
  { definitions, failedRules: failedRulesOf }: LintSubject,
  isAbout: (missing: RuleTrial['missing']) => boolean,
  messageOf: (trial: RuleTrial) => string,
): Promise<RuleProblem[]> {
  const found = await Promise.all(definitions.map(async about => (await failedRulesOf(about)).map(trial => ({ about, trial }))));
  return found
    .flat()
    .filter(({ trial }) => isAbout(trial.missing))
    .map(({ about, trial }) => ({ about, at: trial.pointer, message: messageOf(trial) }));
}

/** Returns the names of the properties of a schema that have defaults. */
function defaultsIn({ schema }: RuleTrial['missing']): string[] {
  return [...(mapAt(schema, 'properties') ?? [])].flatMap(([name, property]) => (isMap(property) && property.has('default') ? [name] : []));
}
