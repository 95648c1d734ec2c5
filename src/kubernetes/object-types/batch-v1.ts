// Generated from the tables of Kubernetes types by `npm run docs`.
import type { ObjectReference, PodTemplateSpec } from './core-v1.js';
import type { LabelSelector, ObjectMeta } from './meta-v1.js';
import type { WorkloadPodGroupDisruptionMode, WorkloadPodGroupResourceClaim, WorkloadPodGroupSchedulingConstraints, WorkloadPodGroupSchedulingPolicy } from './scheduling-v1alpha3.js';

export interface CronJob { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: CronJobSpec; status?: CronJobStatus }
export interface CronJobSpec { schedule: string; timeZone?: string; startingDeadlineSeconds?: number; concurrencyPolicy?: string; suspend?: boolean; jobTemplate?: JobTemplateSpec; successfulJobsHistoryLimit?: number; failedJobsHistoryLimit?: number }
export interface CronJobStatus { active?: ObjectReference[]; lastScheduleTime?: string; lastSuccessfulTime?: string }
export interface Job { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: JobSpec; status?: JobStatus }
export interface JobCondition { type: string; status: string; lastProbeTime?: string; lastTransitionTime?: string; reason?: string; message?: string }
export interface JobSchedulingConfiguration { schedulingPolicy?: WorkloadPodGroupSchedulingPolicy; schedulingConstraints?: WorkloadPodGroupSchedulingConstraints; disruptionMode?: WorkloadPodGroupDisruptionMode; resourceClaims?: WorkloadPodGroupResourceClaim[] }
export interface JobSpec { parallelism?: number; completions?: number; activeDeadlineSeconds?: number; podFailurePolicy?: PodFailurePolicy; successPolicy?: SuccessPolicy; backoffLimit?: number; backoffLimitPerIndex?: number; maxFailedIndexes?: number; selector?: LabelSelector; manualSelector?: boolean; template?: PodTemplateSpec; ttlSecondsAfterFinished?: number; completionMode?: string; suspend?: boolean; podReplacementPolicy?: string; managedBy?: string; scheduling?: JobSchedulingConfiguration }
export interface JobStatus { conditions?: JobCondition[]; startTime?: string; completionTime?: string; active?: number; succeeded?: number; failed?: number; terminating?: number; completedIndexes?: string; failedIndexes?: string; uncountedTerminatedPods?: UncountedTerminatedPods; ready?: number }
export interface JobTemplateSpec { metadata?: ObjectMeta; spec?: JobSpec }
export interface PodFailurePolicy { rules: PodFailurePolicyRule[] }
export interface PodFailurePolicyOnExitCodesRequirement { containerName?: string; operator: string; values: number[] }
export interface PodFailurePolicyOnPodConditionsPattern { type: string; status: string }
export interface PodFailurePolicyRule { action: string; onExitCodes?: PodFailurePolicyOnExitCodesRequirement; onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] }
export interface SuccessPolicy { rules: SuccessPolicyRule[] }
export interface SuccessPolicyRule { succeededIndexes?: string; succeededCount?: number }
export interface UncountedTerminatedPods { succeeded?: string[]; failed?: string[] }
