import type { UserInfo } from '../../kubernetes/api-call.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { ApiObject } from '../objects/api-object.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Attributes of a request during admission. Source: apiserver admission.Attributes. */
export interface Attributes {
  readonly operation: Operation;
  /** Kind of the request's object: the subresource's own (Scale, Eviction, PodExecOptions) where it has one. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Empty for collection deletions, and until a name is generated. */
  readonly name: string;
  readonly namespace: string;
  /** In the request's version; mutators change its value in place. Absent for DELETE. */
  readonly object: ApiObject | undefined;
  /** Absent for CREATE and CONNECT. */
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, DeleteOptions; absent for CONNECT. */
  readonly options: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}
