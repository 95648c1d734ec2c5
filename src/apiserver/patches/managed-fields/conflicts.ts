import { compareKeys } from '../../../go/key-order.js';
import { quote } from '../../../go/quote.js';
import type { StatusError } from '../../../kubernetes/status.js';
import { applyConflict } from '../../../kubernetes/status-errors.js';
import { difference, type FieldSet, type FieldSetPath, fieldSet, has, insert, isEmpty, pathsOf } from '../structured-merge/field-set.js';
import { printElement } from '../structured-merge/path-element.js';
import { readIdentifier } from './entries.js';

/** Path that an apply would take from another manager. */
export interface Conflict {
  /** Identifier of the manager. */
  readonly manager: string;
  readonly path: FieldSetPath;
}

/** Thrown when an apply would change fields of other managers. */
export class ConflictsError extends Error {
  override readonly name = 'ConflictsError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

/** Returns the conflicts for the paths of a set. */
export function conflictsOf(manager: string, set: FieldSet): Conflict[] {
  return pathsOf(set).map(path => ({ manager, path }));
}

/** Returns the conflicts that remain when some paths may be taken; undefined when none. */
export function conflictsBeyond(conflicts: readonly Conflict[], allowed: FieldSet): readonly Conflict[] | undefined {
  const all = fieldSet();
  for (const { path } of conflicts) insert(all, path);
  if (isEmpty(difference(all, allowed))) return undefined;
  return conflicts.filter(({ path }) => !has(allowed, path));
}

/**
 * Returns the 409 about conflicts. Its causes are sorted by manager here; the API server's order is random. Source: apimachinery
 * managedfields/internal NewConflictError.
 */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => compareKeys(a.manager, b.manager));
  const causes = sorted.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(manager)}`,
    field: printPath(path),
  }));
  return applyConflict(messageOf(sorted), causes);
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1)
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${printPath(first.path)}`;
  const lines: string[] = [];
  let manager: string | undefined;
  for (const conflict of conflicts) {
    if (conflict.manager !== manager) lines.push(`conflicts with ${printManager(conflict.manager)}:`);
    manager = conflict.manager;
    lines.push(`- ${printPath(conflict.path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function printManager(id: string): string {
  const { manager, subresource, operation, apiVersion } = readIdentifier(id);
  const name = subresource === '' ? quote(manager) : `${quote(manager)} with subresource ${quote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

function printPath(path: FieldSetPath): string {
  return path.map(printElement).join('');
}
