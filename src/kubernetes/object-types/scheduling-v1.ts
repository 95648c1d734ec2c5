// Generated from the tables of Kubernetes types by `npm run docs`.
import type { ObjectMeta } from './meta-v1.js';

export interface PriorityClass { kind?: string; apiVersion?: string; metadata: ObjectMeta; value: number; globalDefault?: boolean; description?: string; preemptionPolicy?: string }
