import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { ValueMap } from '../../go/value.js';
import type { AdmissionPolicy, PolicyBinding } from './policy.js';
import type { PolicyVersions } from './versioned-objects.js';

/** State that the plugin keeps from its first pass. */
export interface Memory {
  readonly previouslyInvoked: Set<string>;
  readonly reinvoke: Set<string>;
  lastOutput: ValueMap | undefined;
}

/** Error of a policy that counts under failure policy Fail. */
export interface PolicyError {
  readonly policy: AdmissionPolicy;
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

/** Context of all turns of one pass. */
export interface Pass {
  readonly attributes: Attributes;
  readonly context: AdmissionContext;
  readonly versions: PolicyVersions;
  readonly memory: Memory;
  readonly errors: PolicyError[];
}

/** Marks the policies that ran before for reinvocation, if they allow it. */
export function reinvokeAll(memory: Memory): void {
  for (const key of memory.previouslyInvoked) memory.reinvoke.add(key);
  memory.previouslyInvoked.clear();
}
