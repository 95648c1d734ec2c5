import { type ClientOperation, operations } from '../../../client/operations.js';

/** A call as the user edited it in a page. Nothing else of the command can be changed there. */
export interface EditedCall {
  /** Number of the entry that was edited, from 0. */
  readonly entry: number;
  readonly operation: EditedOperation;
  /** The manifest, as YAML or JSON. */
  readonly object: string;
  /** With the operation patch. */
  readonly patch: string;
  /** Empty: the administrator of kubeconfig files. */
  readonly user: string;
  readonly groups: readonly string[];
}

/** Operations that need nothing but an object, a patch and a user. */
export type EditedOperation = Exclude<ClientOperation, 'deletecollection' | 'connect'>;

const members = ['entry', 'groups', 'object', 'operation', 'patch', 'user'];

/** Returns the edited call in a value from outside; undefined if it is not exactly one. */
export function editedCallIn(value: unknown): EditedCall | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== members.join()) return undefined;
  const { entry, operation, object, patch, user, groups } = value as Readonly<Record<string, unknown>>;
  const isCall = Number.isSafeInteger(entry) && isEditedOperation(operation) && areTexts([object, patch, user]) && areTexts(groups);
  return isCall ? (value as EditedCall) : undefined;
}

function isEditedOperation(value: unknown): value is EditedOperation {
  return value !== 'deletecollection' && value !== 'connect' && (operations as readonly unknown[]).includes(value);
}

function areTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every(value => typeof value === 'string');
}
