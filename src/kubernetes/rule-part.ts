/** One part of a policy or webhook that can be true or false: a rule, a match condition, a validation. */
export interface RulePart {
  /** `ValidatingAdmissionPolicy limit-replicas`, or `MutatingWebhookConfiguration m, webhook a.example.com`. */
  readonly owner: string;
  /** `rule 1`, `binding limit rule 1`, `condition not-system`, `validation 2`, `mutation 1`. */
  readonly part: string;
  /** The expression, or a short form of the rule. */
  readonly text: string;
}

/** Observes the parts of a policy or webhook that a call reaches, and their results. */
export interface RuleObserver {
  readonly declare: (part: RulePart) => void;
  readonly reach: (part: Pick<RulePart, 'owner' | 'part'>, value: boolean) => void;
}

/** Returns the operations and resources of a rule as text. */
export function ruleText({
  operations,
  resources,
}: {
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}): string {
  return `${operations.join('|')} ${resources.join('|')}`;
}
