import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { Storage } from '../kubernetes/storage.js';

export type Severity = 'info' | 'warning' | 'error';

/** What a rule looks at: all webhooks together, and what else the files hold. */
export interface LintSubject {
  readonly webhooks: readonly Webhook[];
  readonly storage: Storage;
}

/** One thing a rule found about one webhook. */
export interface Problem {
  readonly webhook: Webhook;
  readonly message: string;
}

/** A rule with a name that never changes. */
export interface LintRule {
  readonly id: string;
  readonly severity: Severity;
  /** Why it matters, in one sentence. */
  readonly reason: string;
  /** What to do about it. */
  readonly fix: string;
  readonly check: (subject: LintSubject) => Problem[];
}

/** A problem as it is reported. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly configuration: string;
  /** Empty when it is about the whole configuration. */
  readonly webhook: string;
  readonly message: string;
  readonly reason: string;
  readonly fix: string;
}

/** The findings of rules, those switched off left out, in the order of the webhooks. */
export function lint(rules: readonly LintRule[], subject: LintSubject, levels: ReadonlyMap<string, Severity | 'off'>): Finding[] {
  const found = rules.flatMap(rule => {
    const severity = levels.get(rule.id) ?? rule.severity;
    return severity === 'off' ? [] : rule.check(subject).map(problem => findingOf(rule, severity, problem));
  });
  const order = new Map(subject.webhooks.map(({ configuration, name }, i) => [`${configuration}/${name}`, i]));
  const placeOf = ({ configuration, webhook }: Finding): number => order.get(`${configuration}/${webhook}`) ?? -1;
  return found.sort((a, b) => placeOf(a) - placeOf(b));
}

function findingOf({ id, reason, fix }: LintRule, severity: Severity, { webhook, message }: Problem): Finding {
  return { rule: id, severity, configuration: webhook.configuration, webhook: webhook.name, message, reason, fix };
}
