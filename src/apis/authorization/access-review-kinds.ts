import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { localSubjectAccessReviewRules, selfSubjectAccessReviewRules, subjectAccessReviewRules } from './access-review-validation.js';

/** SubjectAccessReview. */
export const subjectAccessReviewKind: KindDefinition = { validation: subjectAccessReviewRules };

/** LocalSubjectAccessReview. */
export const localSubjectAccessReviewKind: KindDefinition = { validation: localSubjectAccessReviewRules };

/** SelfSubjectAccessReview. */
export const selfSubjectAccessReviewKind: KindDefinition = { validation: selfSubjectAccessReviewRules };
