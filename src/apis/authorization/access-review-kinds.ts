import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { localSubjectAccessReviewRules, selfSubjectAccessReviewRules, subjectAccessReviewRules } from './access-review-validation.js';

const gatedFields = [{ gates: ['ConditionalAuthorization'], paths: ['spec.authorizationOptions'] }];

/** SubjectAccessReview. */
export const subjectAccessReviewKind: KindDefinition = { validation: subjectAccessReviewRules, gatedFields };

/** LocalSubjectAccessReview. */
export const localSubjectAccessReviewKind: KindDefinition = { validation: localSubjectAccessReviewRules, gatedFields };

/** SelfSubjectAccessReview. */
export const selfSubjectAccessReviewKind: KindDefinition = { validation: selfSubjectAccessReviewRules, gatedFields };
