import type { FieldSet } from '../structured-merge/field-set.js';

/** Fields of one manager, in one version. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** True for server-side apply, false for an update. */
  readonly applied: boolean;
}

/** Owned fields by the manager's identifier. Immutable: functions return new ones. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** Managers with the times of their last change: RFC 3339, absent where unknown. */
export interface Managed {
  readonly managers: Managers;
  readonly times: ReadonlyMap<string, string>;
  /** Managers whose time this request sets. */
  readonly renewed?: ReadonlySet<string>;
}

/** No managers. */
export const nothingManaged: Managed = { managers: new Map(), times: new Map() };

/** Properties of an entry's manager besides its fields. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}
