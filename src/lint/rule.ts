import type { Binding, Policy } from '../apiserver/plugins/policies/policy.js';
import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { Storage } from '../kubernetes/storage.js';
import type { ValueMap } from '../kubernetes/value.js';

export type Severity = 'info' | 'warning' | 'error';

/** Where something stands: an object of the files, and a JSON pointer into it (`/webhooks/0`, empty for all of it). */
export interface Place {
  readonly object: ValueMap;
  readonly pointer: string;
}

export interface LintedWebhook extends Webhook {
  readonly place: Place;
}

/** A definition of custom resources. */
export interface LintedDefinition {
  /** Of the object. */
  readonly name: string;
  readonly place: Place;
}

/** An admission policy of the files with its bindings. */
export interface LintedPolicy extends LintedDefinition {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** A binding of the files. */
export interface LintedBinding extends LintedDefinition {
  readonly policyName: string;
  readonly hasPolicy: boolean;
}

/** What a rule looks at: all webhooks and definitions together, and what else the files hold. */
export interface LintSubject {
  readonly webhooks: readonly LintedWebhook[];
  readonly definitions: readonly LintedDefinition[];
  /** Absent: the files have none. */
  readonly policies?: readonly LintedPolicy[];
  readonly bindings?: readonly LintedBinding[];
  readonly storage: Storage;
}

/** One thing a rule found about one webhook or definition. */
export interface Problem {
  readonly about: LintedWebhook | LintedDefinition;
  /** JSON pointer from there: `/rules/0/resources`. What is not there stands for what is around it. */
  readonly at: string;
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
  readonly check: (subject: LintSubject) => readonly Problem[] | Promise<readonly Problem[]>;
}

/** A problem as it is reported. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** The name of the configuration or definition. */
  readonly configuration: string;
  /** Empty when it is about the whole object. */
  readonly webhook: string;
  readonly message: string;
  readonly reason: string;
  readonly fix: string;
}

/** A finding, and where it is to be shown. */
export interface Found {
  readonly finding: Finding;
  readonly place: Place;
}

/** The findings of rules, those switched off left out, in the order of the webhooks and definitions. */
export async function lint(
  rules: readonly LintRule[],
  subject: LintSubject,
  levels: ReadonlyMap<string, Severity | 'off'>,
): Promise<readonly Found[]> {
  const found = await Promise.all(rules.map(rule => foundBy(rule, subject, levels.get(rule.id) ?? rule.severity)));
  const { webhooks, definitions, policies = [], bindings = [] } = subject;
  const order: readonly Place[] = [...webhooks, ...definitions, ...policies, ...bindings].map(({ place }) => place);
  const rankOf = ({ about }: Problem): number => order.indexOf(about.place);
  return found
    .flat()
    .sort((a, b) => rankOf(a.problem) - rankOf(b.problem))
    .map(({ finding, problem }) => ({ finding, place: placeOf(problem) }));
}

interface FoundProblem {
  readonly finding: Finding;
  readonly problem: Problem;
}

async function foundBy(rule: LintRule, subject: LintSubject, severity: Severity | 'off'): Promise<FoundProblem[]> {
  if (severity === 'off') return [];
  const { id, reason, fix } = rule;
  return [...(await rule.check(subject))].map(problem => {
    const { about, message } = problem;
    const named =
      'configuration' in about ? { configuration: about.configuration, webhook: about.name } : { configuration: about.name, webhook: '' };
    return { finding: { rule: id, severity, ...named, message, reason, fix }, problem };
  });
}

function placeOf({ about: { place }, at }: Problem): Place {
  return { object: place.object, pointer: place.pointer + at };
}
