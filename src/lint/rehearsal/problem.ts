import { listAt, stringAt } from '../../go/value.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import type { ObjectPointer } from '../rule.js';
import type { Obstacle, RehearsalStep, RehearsalUnit } from './rehearsal.js';

/** Something that a rehearsal found. */
export interface RehearsalProblem {
  readonly rule: 'stuck-on-install' | 'refused-at-first' | 'hangs-on-removal' | 'left-behind';
  readonly culprit: Culprit;
  readonly message: string;
  /** That of the rule by default. */
  readonly fix?: string | undefined;
}

/** The webhook of a configuration, or the definition, because of which something is refused or stays. */
export interface Culprit extends ObjectPointer {
  /** Name of the webhook; empty for a definition. */
  readonly webhook: string;
}

/** Returns the culprit of an obstacle; undefined if it is not in the files. */
export function culpritOf({ unanswered, finalizersOf }: Obstacle, units: readonly RehearsalUnit[]): Culprit | undefined {
  const objects = units.flatMap(unit => unit.objects);
  const phase = finalizersOf === undefined ? unanswered?.phase : 'conversion';
  if (phase === 'conversion') {
    const name = finalizersOf ?? unanswered?.configuration;
    const object = objects.find(one => isDefinition(one) && stringAt(one, 'metadata', 'name') === name);
    return object === undefined ? undefined : { object, pointer: finalizersOf === undefined ? '/spec/conversion' : '', webhook: '' };
  }
  for (const object of objects) {
    const isNamed = stringAt(object, 'metadata', 'name') === unanswered?.configuration;
    const index = isNamed ? listAt(object, 'webhooks').findIndex(webhook => stringAt(webhook, 'name') === unanswered?.webhook) : -1;
    if (unanswered !== undefined && index >= 0) return { object, pointer: `/webhooks/${index}`, webhook: unanswered.webhook };
  }
  return undefined;
}

/** Returns `Namespace shop, then Deployment shop/manager`: what is created or deleted, in its order. */
export function describedSteps(steps: readonly RehearsalStep[], units: readonly RehearsalUnit[]): string {
  const nameOf = ({ unit }: RehearsalStep): string => units[unit]?.name ?? '';
  return steps.map(step => (step.action === 'start' ? `the pods of ${nameOf(step)}` : nameOf(step))).join(', then ');
}

/** The message of the API server in the middle of a sentence: without the kind of error that every failed webhook has. */
export function reasonOf({ message }: Obstacle): string {
  return message.replace('Internal error occurred: ', '');
}
