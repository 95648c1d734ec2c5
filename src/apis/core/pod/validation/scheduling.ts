import {
  addDuplicate,
  addInvalid,
  addInvalidName,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkKnown, checkLabelName, checkLabelSelector } from '../../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems, labelValueProblems } from '../../../../kubernetes/name-rules.js';
import { checkMatchLabelKeys } from './affinity.js';

/** Validates tolerations. Source: ValidateTolerations. */
export function checkTolerations(tolerations: Place): void {
  for (const toleration of indexed(tolerations)) {
    const [key, operator, effect] = [at(toleration, 'key'), at(toleration, 'operator'), at(toleration, 'effect')];
    const value = textAt(toleration, 'value');
    if (textOf(key) !== '') checkLabelName(key);
    else if (textOf(operator) !== 'Exists')
      addInvalidName(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
    if (hasSet(toleration, 'tolerationSeconds') && textOf(effect) !== 'NoExecute')
      addInvalidName(effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (textOf(operator) === 'Equal' || textOf(operator) === '') {
      const problems = labelValueProblems(tolerations.server, value);
      if (problems.length > 0) addInvalid(operator, problems.join(';'), value);
    } else if (textOf(operator) === 'Exists') {
      if (value !== '') addInvalid(operator, "value must be empty when `operator` is 'Exists'", value);
    } else
      addUnsupported(
        operator,
        tolerations.server.since('v1.35') && ltOperators.includes(textOf(operator))
          ? ['Equal', 'Exists', ...ltOperators]
          : ['Equal', 'Exists'],
      );
    if (textOf(effect) !== '') checkKnown(effect, taintEffects);
  }
}

const ltOperators = ['Lt', 'Gt'];

/** Effects of a taint. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates topology spread constraints. Source: validateTopologySpreadConstraints. */
export function checkTopologySpread(constraints: Place): void {
  const all = indexed(constraints);
  // The API server reports those that are followed by one like them.
  const last = new Map(all.map((constraint, index) => [spreadOf(constraint), index]));
  for (const [index, constraint] of all.entries()) {
    const action = at(constraint, 'whenUnsatisfiable');
    if (numberAt(constraint, 'maxSkew') <= 0n)
      addInvalid(at(constraint, 'maxSkew'), 'must be greater than zero', numberAt(constraint, 'maxSkew'));
    if (textAt(constraint, 'topologyKey') === '') addRequired(at(constraint, 'topologyKey'), 'can not be empty');
    checkKnown(action, ['DoNotSchedule', 'ScheduleAnyway']);
    if (last.get(spreadOf(constraint)) !== index) addRepeated(constraint);
    checkMinDomains(at(constraint, 'minDomains'), textOf(action));
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      if (hasSet(constraint, name)) checkKnown(at(constraint, name), ['Honor', 'Ignore']);
    checkMatchLabelKeys(constraint);
    checkLabelSelector(at(constraint, 'labelSelector'));
  }
}

/** Returns a text that two constraints of a pod must not have in common. */
function spreadOf(constraint: Place): string {
  return JSON.stringify([textAt(constraint, 'topologyKey'), textAt(constraint, 'whenUnsatisfiable')]);
}

function addRepeated(constraint: Place): void {
  const value = `{${textAt(constraint, 'topologyKey')}, ${textAt(constraint, 'whenUnsatisfiable')}}`;
  addDuplicate({ ...constraint, path: `${constraint.path}.{topologyKey, whenUnsatisfiable}` }, value);
}

function checkMinDomains(domains: Place, action: string): void {
  if (!isSet(domains)) return;
  if (numberOf(domains) <= 0n) addInvalid(domains, 'must be greater than zero');
  if (action !== 'DoNotSchedule') addInvalid(domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
}

/** Validates readiness gates and scheduling gates. */
export function checkGates(spec: Place): void {
  for (const gate of indexed(at(spec, 'readinessGates'))) {
    const condition = at(gate, 'conditionType');
    addProblems(condition, labelKeyProblems(spec.server, textOf(condition)), textOf(condition));
  }
  const seen = new Set<string>();
  for (const gate of indexed(at(spec, 'schedulingGates'))) {
    const name = textAt(gate, 'name');
    addProblems(gate, labelKeyProblems(spec.server, name), name);
    if (seen.has(name)) addDuplicate(gate, name);
    seen.add(name);
  }
}
