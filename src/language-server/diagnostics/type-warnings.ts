import { compileExpression } from '../../cel/program/compile.js';
import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { expressionScopes } from '../expressions/expression-scope.js';
import { entryOf, type ScalarTextNode, type TextNode, targetOfAlias } from '../text/text-node.js';
import type { DocumentObject } from './document-objects.js';
import { rangeInExpression } from './expression-place.js';
import type { TextProblem } from './problem.js';

/**
 * Returns the warnings of the type checking of validating policies: each expression is compiled for each kind that the policy names. Expressions that do not
 * compile without types have an error already. Source: apiserver admission/plugin/policy/validating/typechecking.go.
 */
export function typeWarnings(checked: DocumentObject, state: ClusterState): TextProblem[] {
  const { manifest, content, root } = checked;
  const { object } = manifest;
  if (stringAt(object, 'kind') !== 'ValidatingAdmissionPolicy') return [];
  const problems: TextProblem[] = [];
  for (const path of expressionPaths(object)) {
    const node = scalarAt(root, path);
    if (node === undefined || node.value.trim() === '') continue;
    const scopes = expressionScopes({ role: 'policy', object, path }, state);
    for (const { environment, kind } of scopes) {
      const detail = kind === undefined ? undefined : failureOf(node.value.trim(), environment);
      if (kind === undefined || detail === undefined) continue;
      const message = `${apiVersionOf(kind)}, Kind=${kind.kind}: ${detail}`;
      const { start, end } = rangeInExpression(content.text, node, detail) ?? node;
      problems.push({ start, end, severity: 'warning', source: 'kube-apiserver', code: 'TypeChecking', message });
    }
  }
  return problems;
}

function expressionPaths(object: ValueMap): (string | number)[][] {
  return listAt(object, 'spec', 'validations').flatMap((_, index) =>
    ['expression', 'messageExpression'].map(name => ['spec', 'validations', index, name]),
  );
}

function scalarAt(root: TextNode, path: readonly (string | number)[]): ScalarTextNode | undefined {
  let node: TextNode | undefined = root;
  for (const step of path) {
    const target: TextNode | undefined = node === undefined ? undefined : targetOfAlias(node);
    if (target === undefined) return undefined;
    node = typeof step === 'string' ? entryOf(target, step)?.value : target.kind === 'list' ? target.items[step] : undefined;
  }
  const scalar = node === undefined ? undefined : targetOfAlias(node);
  return scalar?.kind === 'scalar' ? scalar : undefined;
}

function failureOf(expression: string, environment: Parameters<typeof compileExpression>[1]): string | undefined {
  try {
    const compiled = compileExpression(expression, environment);
    return compiled.outcome === 'failed' ? compiled.error.detail.replace(/^compilation failed: /, '') : undefined;
  } catch {
    // The API server panics, which it reports for the expression itself.
    return undefined;
  }
}
