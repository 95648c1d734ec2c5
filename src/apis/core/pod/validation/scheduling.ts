import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkKnown, checkLabelName, checkLabelSelector } from '../../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems, labelValueProblems } from '../../../../kubernetes/name-rules.js';
import { checkMatchLabelKeys } from './affinity.js';

/** Validates tolerations. Source: ValidateTolerations. */
export function checkTolerations(tolerations: FieldPath): void {
  for (const toleration of tolerations.items()) {
    const [key, operator, effect] = [toleration.child('key'), toleration.child('operator'), toleration.child('effect')];
    const value = toleration.text('value');
    if (key.text() !== '') checkLabelName(key);
    else if (operator.text() !== 'Exists')
      operator.invalidName('operator must be Exists when `key` is empty, which means "match all values and all keys"');
    if (toleration.has('tolerationSeconds') && effect.text() !== 'NoExecute')
      effect.invalidName("effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (operator.text() === 'Equal' || operator.text() === '') {
      const problems = labelValueProblems(tolerations.server, value);
      if (problems.length > 0) operator.invalid(value, problems.join(';'));
    } else if (operator.text() === 'Exists') {
      if (value !== '') operator.invalid(value, "value must be empty when `operator` is 'Exists'");
    } else
      operator.notSupported(
        tolerations.server.since('v1.35') && ltOperators.includes(operator.text())
          ? ['Equal', 'Exists', ...ltOperators]
          : ['Equal', 'Exists'],
      );
    if (effect.text() !== '') checkKnown(effect, taintEffects);
  }
}

const ltOperators = ['Lt', 'Gt'];

/** Effects of a taint. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates topology spread constraints. Source: validateTopologySpreadConstraints. */
export function checkTopologySpread(constraints: FieldPath): void {
  const all = constraints.items();
  // The API server reports those that are followed by one like them.
  const last = new Map(all.map((constraint, index) => [spreadOf(constraint), index]));
  for (const [index, constraint] of all.entries()) {
    const action = constraint.child('whenUnsatisfiable');
    if (constraint.number('maxSkew') <= 0n) constraint.child('maxSkew').invalid(constraint.number('maxSkew'), 'must be greater than zero');
    if (constraint.text('topologyKey') === '') constraint.child('topologyKey').required('can not be empty');
    checkKnown(action, ['DoNotSchedule', 'ScheduleAnyway']);
    if (last.get(spreadOf(constraint)) !== index) addRepeated(constraint);
    checkMinDomains(constraint.child('minDomains'), action.text());
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      if (constraint.has(name)) checkKnown(constraint.child(name), ['Honor', 'Ignore']);
    checkMatchLabelKeys(constraint);
    checkLabelSelector(constraint.child('labelSelector'));
  }
}

/** Returns a text that two constraints of a pod must not have in common. */
function spreadOf(constraint: FieldPath): string {
  return JSON.stringify([constraint.text('topologyKey'), constraint.text('whenUnsatisfiable')]);
}

function addRepeated(constraint: FieldPath): void {
  const value = `{${constraint.text('topologyKey')}, ${constraint.text('whenUnsatisfiable')}}`;
  constraint.child('{topologyKey, whenUnsatisfiable}').duplicate(value);
}

function checkMinDomains(domains: FieldPath, action: string): void {
  if (!domains.isSet()) return;
  if (domains.number() <= 0n) domains.invalid('must be greater than zero');
  if (action !== 'DoNotSchedule') domains.invalid(`can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`);
}

/** Validates readiness gates and scheduling gates. */
export function checkGates(spec: FieldPath): void {
  for (const gate of spec.child('readinessGates').items()) {
    const condition = gate.child('conditionType');
    condition.invalidEach(condition.text(), labelKeyProblems(spec.server, condition.text()));
  }
  const seen = new Set<string>();
  for (const gate of spec.child('schedulingGates').items()) {
    const name = gate.text('name');
    gate.invalidEach(name, labelKeyProblems(spec.server, name));
    if (seen.has(name)) gate.duplicate(name);
    seen.add(name);
  }
}
