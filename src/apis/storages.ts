import type { PartStorage, RestStorage, UnstoredObjects } from '../apiserver/handlers/rest-storage.js';
import { selfSubjectReview, tokenReview } from './authentication/review-storage.js';
import { accessReview, rulesReview } from './authorization/access-review-storage.js';
import { scaleStorage } from './autoscaling/scale/scale-storage.js';
import { componentStatuses } from './core/component-status.js';
import { legacyBinding, podBinding } from './core/pod/storage/binding.js';
import { podEviction } from './core/pod/storage/eviction.js';
import { serviceAccountToken } from './core/service-account/token.js';

/** Storages of the resources and subresources that are posted and not stored. Source: the storage providers in kubernetes pkg/registry. */
export const storages: ReadonlyMap<string, () => RestStorage> = new Map([
  ['bindings.', () => legacyBinding],
  ['pods./binding', () => podBinding],
  ['pods./eviction', () => podEviction],
  ['serviceaccounts./token', () => serviceAccountToken],
  ['selfsubjectreviews.authentication.k8s.io', () => selfSubjectReview],
  ['tokenreviews.authentication.k8s.io', () => tokenReview],
  ['localsubjectaccessreviews.authorization.k8s.io', () => accessReview],
  ['selfsubjectaccessreviews.authorization.k8s.io', () => accessReview],
  ['selfsubjectrulesreviews.authorization.k8s.io', () => rulesReview],
  ['subjectaccessreviews.authorization.k8s.io', () => accessReview],
]);

/** Objects that are made for each request. */
export const unstoredObjects: ReadonlyMap<string, UnstoredObjects> = new Map([['componentstatuses.', componentStatuses]]);

/** Storages of the subresources that any resource can have. */
export const partStorages: ReadonlyMap<string, () => PartStorage> = new Map([['scale', () => scaleStorage]]);
