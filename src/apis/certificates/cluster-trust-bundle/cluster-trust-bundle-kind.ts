import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { clusterTrustBundleNameProblems, clusterTrustBundleRules } from './cluster-trust-bundle-validation.js';

/** ClusterTrustBundle. */
export const clusterTrustBundleKind: KindDefinition = {
  validation: clusterTrustBundleRules,
  nameProblems: clusterTrustBundleNameProblems,
  allowsUnconditionalUpdate: false,
};
