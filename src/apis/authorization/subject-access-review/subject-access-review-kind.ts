import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { subjectAccessReviewRules } from '../access-review-validation.js';

/** SubjectAccessReview. */
export const subjectAccessReviewKind: KindDefinition = { validation: subjectAccessReviewRules };
