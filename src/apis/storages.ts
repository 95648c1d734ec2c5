import type { PartStorage, RestStorage } from '../apiserver/handlers/rest-storage.js';
import { selfSubjectReview, tokenReview } from './authentication/review-storage.js';
import { accessReview, rulesReview } from './authorization/access-review-storage.js';
import { scaleStorage } from './autoscaling/scale/scale-storage.js';
import { componentStatuses } from './core/component-status.js';
import { nodeProxy } from './core/node/node-proxy.js';
import { legacyBinding, podBinding } from './core/pod/storage/binding.js';
import { podEviction } from './core/pod/storage/eviction.js';
import { podProxy } from './core/pod/storage/pod-proxy.js';
import { podAttach, podExec, podLog, podPortForward } from './core/pod/storage/streams.js';
import { serviceProxy } from './core/service/service-proxy.js';
import { serviceAccountToken } from './core/service-account/token.js';

/** Storages of the resources and subresources whose objects are not stored. Source: the storage providers in kubernetes pkg/registry. */
export const storages: ReadonlyMap<string, () => RestStorage> = new Map([
  ['bindings.', () => legacyBinding],
  ['componentstatuses.', () => componentStatuses],
  ['nodes./proxy', () => nodeProxy],
  ['pods./attach', () => podAttach],
  ['pods./binding', () => podBinding],
  ['pods./eviction', () => podEviction],
  ['pods./exec', () => podExec],
  ['pods./log', () => podLog],
  ['pods./portforward', () => podPortForward],
  ['pods./proxy', () => podProxy],
  ['serviceaccounts./token', () => serviceAccountToken],
  ['services./proxy', () => serviceProxy],
  ['selfsubjectreviews.authentication.k8s.io', () => selfSubjectReview],
  ['tokenreviews.authentication.k8s.io', () => tokenReview],
  ['localsubjectaccessreviews.authorization.k8s.io', () => accessReview],
  ['selfsubjectaccessreviews.authorization.k8s.io', () => accessReview],
  ['selfsubjectrulesreviews.authorization.k8s.io', () => rulesReview],
  ['subjectaccessreviews.authorization.k8s.io', () => accessReview],
]);

/** Storages of the subresources that any resource can have. */
export const partStorages: ReadonlyMap<string, () => PartStorage> = new Map([['scale', () => scaleStorage]]);
