import { nearest } from '../nearest.js';
import type { ValueType } from './value-type.js';

/** Checks after a call, in the order of execution, and what they do, for the documents. */
export const callChecks = [
  { name: 'side-effects', does: 'makes the call with `dryRun` inverted: the same answer, and no writes in the dry run' },
  { name: 'idempotent', does: 'calls each mutating webhook with its own result, directly after its answer: it changes nothing' },
  {
    name: 'reinvocation',
    does: 'calls all mutating webhooks again, after the last one: none refuses the changes of the others, or changes the object each time',
  },
  {
    name: 'unknown-fields',
    does: 'sends an object with an unknown field in each part, as of a newer version: it is allowed, and the patch drops none of the fields',
  },
  { name: 'order', does: 'calls mutating webhooks in other orders: the result is the same' },
  {
    name: 'finalizers',
    does: 'makes updates that controllers need at any time: without the last finalizer during the deletion, of the status, and without a change',
  },
] as const;

export type CheckName = (typeof callChecks)[number]['name'];

/** In the order of execution. */
export const callCheckNames: readonly CheckName[] = callChecks.map(({ name }) => name);

/** Reports whether this is the name of a check. */
export function isCheckName(name: string): name is CheckName {
  return callCheckNames.some(known => known === name);
}

/** `--check`: the checks to make. */
export interface ChosenChecks {
  /** `all`: also the update and the deletion of each object. */
  readonly isAll: boolean;
  readonly names: readonly CheckName[];
}

/** `--check` */
export const checksValue: ValueType<ChosenChecks> = {
  parse: text => {
    const words = text.split(',').map(word => word.trim());
    if (words.includes('all')) return { isAll: true, names: callCheckNames };
    return words.every(isCheckName) ? { isAll: false, names: callCheckNames.filter(name => words.includes(name)) } : undefined;
  },
  expected: `all, or some of ${callCheckNames.join(', ')}`,
  suggest: text => {
    const unknown = text.split(',').find(word => !isCheckName(word.trim())) ?? '';
    const meant = nearest(unknown.trim(), callCheckNames);
    return meant === undefined ? [] : [`did you mean ${meant}?`];
  },
  schema: { type: 'string' },
};
