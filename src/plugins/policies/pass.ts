import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { ValueMap } from '../../go/value.js';
import type { Binding, Policy } from './policy.js';
import type { Versions } from './versioned-objects.js';

/** What the plugin remembers from its first pass. */
export interface Memory {
  readonly previouslyInvoked: Set<string>;
  readonly reinvoke: Set<string>;
  lastOutput: ValueMap | undefined;
}

/** Error of a policy that counts under failure policy Fail. */
export interface PolicyError {
  readonly policy: Policy;
  readonly binding: Binding | undefined;
  readonly message: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

/** Everything the turns of one pass share. */
export interface Pass {
  readonly attributes: Attributes;
  readonly context: AdmissionContext;
  readonly versions: Versions;
  readonly memory: Memory;
  readonly errors: PolicyError[];
}

/** Policies that ran before and may run again are to do so. */
export function reinvokeAll(memory: Memory): void {
  for (const key of memory.previouslyInvoked) memory.reinvoke.add(key);
  memory.previouslyInvoked.clear();
}
