// Generated from the tables of Kubernetes types by `npm run docs`.
import type { Condition, LabelSelector, ObjectMeta } from './meta-v1.js';

export interface PodDisruptionBudget { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: PodDisruptionBudgetSpec; status?: PodDisruptionBudgetStatus }
export interface PodDisruptionBudgetSpec { minAvailable?: number | string; selector?: LabelSelector; maxUnavailable?: number | string; unhealthyPodEvictionPolicy?: string }
export interface PodDisruptionBudgetStatus { observedGeneration?: number; disruptedPods?: Record<string, string>; disruptionsAllowed: number; currentHealthy: number; desiredHealthy: number; expectedPods: number; conditions?: Condition[] }
