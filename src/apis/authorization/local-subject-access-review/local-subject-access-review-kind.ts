import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { localSubjectAccessReviewRules } from '../access-review-validation.js';

/** LocalSubjectAccessReview. */
export const localSubjectAccessReviewKind: KindDefinition = { validation: localSubjectAccessReviewRules };
