// Generated from the tables of Kubernetes types by `npm run docs`.
import type { PersistentVolumeClaim, PodTemplateSpec } from './core-v1.js';
import type { LabelSelector, ObjectMeta } from './meta-v1.js';

export interface DaemonSet { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: DaemonSetSpec; status?: DaemonSetStatus }
export interface DaemonSetCondition { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string }
export interface DaemonSetSpec { selector?: LabelSelector; template?: PodTemplateSpec; updateStrategy?: DaemonSetUpdateStrategy; minReadySeconds?: number; revisionHistoryLimit?: number }
export interface DaemonSetStatus { currentNumberScheduled: number; numberMisscheduled: number; desiredNumberScheduled: number; numberReady: number; observedGeneration?: number; updatedNumberScheduled?: number; numberAvailable?: number; numberUnavailable?: number; collisionCount?: number; conditions?: DaemonSetCondition[] }
export interface DaemonSetUpdateStrategy { type?: string; rollingUpdate?: RollingUpdateDaemonSet }
export interface Deployment { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: DeploymentSpec; status?: DeploymentStatus }
export interface DeploymentCondition { type: string; status: string; lastUpdateTime?: string; lastTransitionTime?: string; reason?: string; message?: string }
export interface DeploymentSpec { replicas?: number; selector?: LabelSelector; template?: PodTemplateSpec; strategy?: DeploymentStrategy; minReadySeconds?: number; revisionHistoryLimit?: number; paused?: boolean; progressDeadlineSeconds?: number }
export interface DeploymentStatus { observedGeneration?: number; replicas?: number; updatedReplicas?: number; readyReplicas?: number; availableReplicas?: number; unavailableReplicas?: number; terminatingReplicas?: number; conditions?: DeploymentCondition[]; collisionCount?: number }
export interface DeploymentStrategy { type?: string; rollingUpdate?: RollingUpdateDeployment }
export interface ReplicaSet { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: ReplicaSetSpec; status?: ReplicaSetStatus }
export interface ReplicaSetCondition { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string }
export interface ReplicaSetSpec { replicas?: number; minReadySeconds?: number; selector?: LabelSelector; template?: PodTemplateSpec }
export interface ReplicaSetStatus { replicas: number; fullyLabeledReplicas?: number; readyReplicas?: number; availableReplicas?: number; terminatingReplicas?: number; observedGeneration?: number; conditions?: ReplicaSetCondition[] }
export interface RollingUpdateDaemonSet { maxUnavailable?: number | string; maxSurge?: number | string }
export interface RollingUpdateDeployment { maxUnavailable?: number | string; maxSurge?: number | string }
export interface RollingUpdateStatefulSetStrategy { partition?: number; maxUnavailable?: number | string }
export interface StatefulSet { kind?: string; apiVersion?: string; metadata: ObjectMeta; spec: StatefulSetSpec; status?: StatefulSetStatus }
export interface StatefulSetCondition { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string }
export interface StatefulSetOrdinals { start: number }
export interface StatefulSetPersistentVolumeClaimRetentionPolicy { whenDeleted?: string; whenScaled?: string }
export interface StatefulSetSpec { replicas?: number; selector?: LabelSelector; template?: PodTemplateSpec; volumeClaimTemplates?: PersistentVolumeClaim[]; serviceName: string; podManagementPolicy?: string; updateStrategy?: StatefulSetUpdateStrategy; revisionHistoryLimit?: number; minReadySeconds?: number; persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy; ordinals?: StatefulSetOrdinals }
export interface StatefulSetStatus { observedGeneration?: number; replicas: number; readyReplicas?: number; currentReplicas?: number; updatedReplicas?: number; currentRevision?: string; updateRevision?: string; collisionCount?: number; conditions?: StatefulSetCondition[]; availableReplicas: number }
export interface StatefulSetUpdateStrategy { type?: string; rollingUpdate?: RollingUpdateStatefulSetStrategy }
