// Generated from the tables of Kubernetes types by `npm run docs`.
import type { TopologySelectorTerm } from './core-v1.js';
import type { ObjectMeta } from './meta-v1.js';

export interface StorageClass { kind?: string; apiVersion?: string; metadata: ObjectMeta; provisioner: string; parameters?: Record<string, string>; reclaimPolicy?: string; mountOptions?: string[]; allowVolumeExpansion?: boolean; volumeBindingMode?: string; allowedTopologies?: TopologySelectorTerm[] }
