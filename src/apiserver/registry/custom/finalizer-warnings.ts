import { quote } from '../../../go/quote.js';
import { listAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/**
 * Returns warnings about new finalizers of a custom resource, sorted. Source: apiextensions-apiserver registry/customresource/validator.go.
 */
export function finalizerWarnings(server: ApiServer, object: ValueMap, old: ValueMap | undefined): string[] {
  const before = new Set(listAt(old, 'metadata', 'finalizers').map(String));
  const added = [...new Set(listAt(object, 'metadata', 'finalizers').map(String))].filter(f => !before.has(f)).sort();
  return added.flatMap(value => warningsOf(server, value));
}

function warningsOf(server: ApiServer, finalizer: string): string[] {
  const at = `metadata.finalizers: ${quote(finalizer)}`;
  const problems = labelKeyProblems(server, finalizer).map(problem => `${at}: ${problem}`);
  if (finalizer.includes('/') || standard.has(finalizer)) return problems;
  const path = finalizer.includes('.') ? ' including a path (/)' : '';
  return [...problems, `${at}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
}
