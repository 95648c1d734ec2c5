import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { selfSubjectAccessReviewRules } from '../access-review-validation.js';

/** SelfSubjectAccessReview. */
export const selfSubjectAccessReviewKind: KindDefinition = { validation: selfSubjectAccessReviewRules };
