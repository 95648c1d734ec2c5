import { type CheckName, checkNames, isCheckName } from '../checks/check.js';
import { InvalidSuite } from '../faults.js';
import { isScenarioName, type ScenarioName, scenarioNames } from '../scenarios/scenario.js';
import { type Field, invalid, items, placeOf, textOf } from './field.js';

/** Reads the names in `checks`. Throws InvalidSuite. */
export function readChecks(field: Field | undefined): CheckName[] {
  return field === undefined ? [] : items(field).map(item => nameIn(item, { isName: isCheckName, known: checkNames, what: 'check' }));
}

/** Reads the scenarios in `scenarios`: `all`, or a list of names. Throws InvalidSuite. */
export function readScenarios(field: Field): readonly ScenarioName[] {
  if (field.value === 'all') return scenarioNames;
  if (items(field).length === 0) throw invalid(field, 'is an empty list: no case would be left');
  return items(field).map(item => nameIn(item, { isName: isScenarioName, known: scenarioNames, what: 'scenario' }));
}

interface Names<T extends string> {
  readonly isName: (name: string) => name is T;
  readonly known: readonly T[];
  readonly what: string;
}

function nameIn<T extends string>(field: Field, { isName, known, what }: Names<T>): T {
  const name = textOf(field);
  if (isName(name)) return name;
  throw new InvalidSuite(`${field.name} is ${JSON.stringify(name)}, which is not a valid ${what}`, placeOf(field), {
    unknown: { word: name, known },
  });
}
