// Generated from the tables of Kubernetes types by `npm run docs`.

export interface Condition { type: string; status: string; observedGeneration?: number; lastTransitionTime: string; reason: string; message: string }
export interface LabelSelector { matchLabels?: Record<string, string>; matchExpressions?: LabelSelectorRequirement[] }
export interface LabelSelectorRequirement { key: string; operator: string; values?: string[] }
export interface ManagedFieldsEntry { manager?: string; operation?: string; apiVersion?: string; time?: string; fieldsType?: string; fieldsV1?: Record<string, unknown>; subresource?: string }
export interface ObjectMeta { name?: string; generateName?: string; namespace?: string; selfLink?: string; uid?: string; resourceVersion?: string; generation?: number; creationTimestamp?: string; deletionTimestamp?: string; deletionGracePeriodSeconds?: number; labels?: Record<string, string>; annotations?: Record<string, string>; ownerReferences?: OwnerReference[]; finalizers?: string[]; managedFields?: ManagedFieldsEntry[] }
export interface OwnerReference { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean; blockOwnerDeletion?: boolean }
