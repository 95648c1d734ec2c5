import {
  type Approval,
  approvalOf,
  approvalTextOf,
} from '../../../apis/apiextensions/custom-resource-definition/validation/api-approval.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { hasCondition, withCondition } from './conditions.js';

const type = 'KubernetesAPIApprovalPolicyConformant';

const reasons = {
  missing: { status: 'False', reason: 'MissingAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
} as const satisfies Record<Approval['state'], object>;

/** Tells whether definitions in groups of the Kubernetes community are approved. */
export interface ApprovalConditions {
  /** Returns the definition with its condition; undefined if it needs none, has it, or has the annotation of the last change. */
  readonly withApproval: (definition: ValueMap, now: Date) => ValueMap | undefined;
  /** Called when the condition is written. */
  readonly written: (definition: ValueMap) => void;
  readonly deleted: (name: string) => void;
}

/** Source: apiextensions-apiserver pkg/controller/apiapproval/apiapproval_controller.go. */
export function newApprovalConditions(): ApprovalConditions {
  const lastSeen = new Map<string, string>();
  return {
    withApproval: (definition, now) => {
      if (lastSeen.get(stringAt(definition, 'metadata', 'name')) === approvalTextOf(definition)) return undefined;
      const approval = approvalOf(definition);
      if (approval === undefined) return undefined;
      const condition = { type, ...reasons[approval.state], message: approval.message };
      return hasCondition(definition, condition) ? undefined : withCondition(definition, condition, now);
    },
    written: definition => lastSeen.set(stringAt(definition, 'metadata', 'name'), approvalTextOf(definition)),
    deleted: name => lastSeen.delete(name),
  };
}
