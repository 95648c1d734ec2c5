// Generated from the tables of Kubernetes types by `npm run docs`.
import type { LabelSelector, ObjectMeta } from './meta-v1.js';

export interface AggregationRule { clusterRoleSelectors?: LabelSelector[] }
export interface ClusterRole { kind?: string; apiVersion?: string; metadata: ObjectMeta; rules: PolicyRule[]; aggregationRule?: AggregationRule }
export interface ClusterRoleBinding { kind?: string; apiVersion?: string; metadata: ObjectMeta; subjects?: Subject[]; roleRef?: RoleRef }
export interface PolicyRule { verbs: string[]; apiGroups?: string[]; resources?: string[]; resourceNames?: string[]; nonResourceURLs?: string[] }
export interface Role { kind?: string; apiVersion?: string; metadata: ObjectMeta; rules: PolicyRule[] }
export interface RoleBinding { kind?: string; apiVersion?: string; metadata: ObjectMeta; subjects?: Subject[]; roleRef?: RoleRef }
export interface RoleRef { apiGroup: string; kind: string; name: string }
export interface Subject { kind: string; apiGroup?: string; name: string; namespace?: string }
