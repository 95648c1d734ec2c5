import type { LintRule } from '../rule.js';

/** Expressions that read parameters although a binding does not set them. */
export const paramsWithoutRef: LintRule = {
  id: 'params-without-ref',
  severity: 'warning',
  reason: 'without paramRef the variable params is null: reading it is an error, which refuses the request with failurePolicy Fail',
  fix: 'add spec.paramRef to the binding, or check params != null first',
  check: ({ policies = [] }) =>
    policies.flatMap(about => {
      const { paramKind } = about.policy;
      const binding = about.bindings.find(({ paramRef }) => paramRef === undefined);
      if (paramKind === undefined || binding === undefined || checksNull(about.policy)) return [];
      return [{ about, at: '/spec/paramKind', message: `the binding ${binding.name} does not refer to a ${paramKind.kind}` }];
    }),
};

function checksNull({
  matchConditions,
  validations,
  variables,
}: { readonly [K in 'matchConditions' | 'validations' | 'variables']: readonly { readonly expression: string }[] }): boolean {
  return [...matchConditions, ...validations, ...variables].some(({ expression }) =>
    /params\s*[!=]=\s*null|null\s*[!=]=\s*params/.test(expression),
  );
}
