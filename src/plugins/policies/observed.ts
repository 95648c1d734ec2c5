import { type RuleObserver, ruleText } from '../../kubernetes/rule-part.js';
import type { PolicyRuleObserver as MatchObserver } from './match-resources.js';
import type { AdmissionPolicy, PolicyHook } from './policy.js';

/** Returns the name of a policy in coverage. */
export function ownerOfPolicy({ phase, name }: Pick<AdmissionPolicy, 'phase' | 'name'>): string {
  return `${phase === 'mutating' ? 'Mutating' : 'Validating'}AdmissionPolicy ${name}`;
}

/** Declares the rules, match conditions, validations and mutations of a policy and its bindings that a call meets. */
export function declarePolicy({ policy, bindings }: PolicyHook, { declare }: RuleObserver): void {
  const owner = ownerOfPolicy(policy);
  const each = <T>(list: readonly T[], word: string, textOf: (one: T) => string): void => {
    for (const [i, one] of list.entries()) declare({ owner, part: `${word} ${i + 1}`, text: textOf(one) });
  };
  each(policy.constraints?.resourceRules ?? [], 'rule', ruleText);
  for (const { name, matchResources } of bindings) each(matchResources?.resourceRules ?? [], `binding ${name} rule`, ruleText);
  for (const { name, expression } of policy.matchConditions) declare({ owner, part: `condition ${name}`, text: expression.trim() });
  each(policy.validations, 'validation', ({ expression }) => expression.trim());
  each(policy.mutations, 'mutation', ({ expression }) => expression.trim());
}

/** Returns the observer of tried rules of a policy or binding. */
export function ruleObserver(policy: AdmissionPolicy, word: string, observer: RuleObserver | undefined): MatchObserver | undefined {
  return observer && ((index, value) => observer.reach({ owner: ownerOfPolicy(policy), part: `${word} ${index + 1}` }, value));
}
