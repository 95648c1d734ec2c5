import type { FieldSet } from '../structured-merge/field-set.js';

/** What one manager owns, in the words of one version. */
export interface VersionedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** By server-side apply; otherwise by an update. */
  readonly applied: boolean;
}

/** Who owns what, by the manager's identifier. Values: functions give new ones. */
export type Managers = ReadonlyMap<string, VersionedSet>;

/** Owners with the times of their last change: RFC 3339, absent where none is known. */
export interface Managed {
  readonly managers: Managers;
  readonly times: ReadonlyMap<string, string>;
}

/** Nobody owns anything. */
export const nothingManaged: Managed = { managers: new Map(), times: new Map() };

/** What an entry says about its manager besides what it owns. */
export interface ManagerInfo {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}
