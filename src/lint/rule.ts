import type { Webhook } from '../apiserver/webhooks/webhook.js';
import type { ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { Storage } from '../kubernetes/storage.js';
import type { AdmissionPolicy, PolicyBinding } from '../plugins/policies/policy.js';
import type { OutageStep } from './outage/outage-step.js';
import { compareSeverities, type Severity } from './severity.js';

/** Place in an object of the files: a JSON pointer (`/webhooks/0`), empty for the whole object. */
export interface ObjectPointer {
  readonly object: ValueMap;
  readonly pointer: string;
}

export interface LintedWebhook extends Webhook {
  readonly place: ObjectPointer;
}

/** A CustomResourceDefinition. */
export interface LintedDefinition {
  /** Of the object. */
  readonly name: string;
  readonly place: ObjectPointer;
}

/** An admission policy of the files with its bindings. */
export interface LintedPolicy extends LintedDefinition {
  readonly policy: AdmissionPolicy;
  readonly bindings: readonly PolicyBinding[];
}

/** A binding of the files. */
export interface LintedBinding extends LintedDefinition {
  readonly policyName: string;
  readonly hasPolicy: boolean;
}

/** Error of a condition for a request that the rules match. */
export interface ConditionTrial {
  /** Of the condition. */
  readonly index: number;
  readonly operation: string;
  /** `pods` or `pods/exec` */
  readonly resource: string;
  /** What is special about the object; empty for the smallest one. */
  readonly shape: string;
  /** Error without the expression: `no such key: labels`. */
  readonly error: string;
}

/** Error of a definition's validation rule for an object that is valid otherwise. */
export interface RuleTrial {
  /** JSON pointer of the rule's expression, from the definition. */
  readonly pointer: string;
  /** The optional field without which the rule fails: its path as in `spec.ports[*].name`, and its schema. */
  readonly missing: { readonly path: string; readonly schema: ValueMap };
  /** Transition rules are evaluated for updates only: those that change nothing fail. */
  readonly call: 'create' | 'update';
  /** Error without the expression: `no such key: tls`. */
  readonly error: string;
}

/** Input of a rule: all webhooks and CRDs, and the other objects of the files. */
export interface LintSubject {
  /** The API server that the files are for. */
  readonly server: ApiServer;
  readonly webhooks: readonly LintedWebhook[];
  readonly definitions: readonly LintedDefinition[];
  /** Names of the definitions whose conversion webhook is set elsewhere, by a patch of a kustomization. Absent: there are none. */
  readonly convertedByPatches?: ReadonlySet<string>;
  /** Registrations of extension API servers. Absent: the files have none. */
  readonly apiServices?: readonly LintedDefinition[];
  /** Absent: the files have none. */
  readonly policies?: readonly LintedPolicy[];
  readonly bindings?: readonly LintedBinding[];
  readonly storage: Storage;
  /** Whether the objects are those of a cluster, with all its namespaces. */
  readonly knowsNamespaces: boolean;
  /** Time at which certificates are checked. */
  readonly now: Date;
  /** Returns the errors of a webhook's conditions, or of others in their place, for all requests for built-in kinds. */
  readonly failedTrials: (webhook: LintedWebhook, expressions?: readonly string[]) => Promise<readonly ConditionTrial[]>;
  /** Returns the validation rules of a definition that fail with an error, for objects of every version. */
  readonly failedRules: (definition: LintedDefinition) => Promise<readonly RuleTrial[]>;
  /** Returns which of the steps the API server refuses while a webhook is down. */
  readonly refusedWhileDown: (webhook: LintedWebhook, steps: readonly OutageStep[]) => Promise<readonly OutageStep[]>;
}

/** Problem of one webhook or CRD. */
export interface RuleProblem {
  readonly about: LintedWebhook | LintedDefinition;
  /** JSON pointer from there: `/rules/0/resources`. For a missing member the nearest one around it is shown. */
  readonly at: string;
  readonly message: string;
  /** What to do about this one; that of the rule by default. */
  readonly fix?: string | undefined;
}

/** A rule with a stable name. */
export interface LintRule {
  readonly id: string;
  readonly severity: Severity;
  /** Why it matters, in one sentence. */
  readonly reason: string;
  /** What to do about it. */
  readonly fix: string;
  readonly check: (subject: LintSubject) => readonly RuleProblem[] | Promise<readonly RuleProblem[]>;
}

/** Reported problem. */
export interface LintFinding {
  readonly rule: string;
  readonly severity: Severity;
  /** Name of the configuration or CRD. */
  readonly configuration: string;
  /** Empty if it is about the whole object. */
  readonly webhook: string;
  readonly message: string;
  readonly reason: string;
  readonly fix: string;
}

/** A finding with its place. */
export interface FoundByRule {
  readonly finding: LintFinding;
  readonly place: ObjectPointer;
}

/** Returns the findings of the enabled rules in the order of the webhooks and CRDs, those of one with the errors first. */
export async function lint(
  rules: readonly LintRule[],
  subject: LintSubject,
  levels: ReadonlyMap<string, Severity | 'off'>,
): Promise<readonly FoundByRule[]> {
  const found = await Promise.all(rules.map(rule => applyRule(rule, subject, levels.get(rule.id) ?? rule.severity)));
  const { webhooks, definitions, apiServices = [], policies = [], bindings = [] } = subject;
  const order: readonly ObjectPointer[] = [...webhooks, ...definitions, ...apiServices, ...policies, ...bindings].map(({ place }) => place);
  const rankOf = ({ about }: RuleProblem): number => order.indexOf(about.place);
  return found
    .flat()
    .sort((a, b) => rankOf(a.problem) - rankOf(b.problem) || compareSeverities(a.finding, b.finding))
    .map(({ finding, problem }) => ({ finding, place: placeOf(problem) }));
}

interface FoundProblem {
  readonly finding: LintFinding;
  readonly problem: RuleProblem;
}

async function applyRule(rule: LintRule, subject: LintSubject, severity: Severity | 'off'): Promise<FoundProblem[]> {
  if (severity === 'off') return [];
  const { id, reason, fix } = rule;
  return [...(await rule.check(subject))].map(problem => {
    const { about, message } = problem;
    const named =
      'configuration' in about ? { configuration: about.configuration, webhook: about.name } : { configuration: about.name, webhook: '' };
    return { finding: { rule: id, severity, ...named, message, reason, fix: problem.fix ?? fix }, problem };
  });
}

function placeOf({ about: { place }, at }: RuleProblem): ObjectPointer {
  return { object: place.object, pointer: place.pointer + at };
}
