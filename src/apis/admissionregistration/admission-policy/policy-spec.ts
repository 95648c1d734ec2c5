import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { sameMember } from '../../../apiserver/registry/validation/immutable.js';
import { matchConditionErrors } from '../../../apiserver/registry/validation/match-conditions.js';
import { compilationErrors } from '../../../apiserver/registry/validation/match-expression.js';
import { staticNameWarnings } from '../../../apiserver/registry/validation/static-name.js';
import { type PolicyCompiler, type PolicyExpression, policyCompiler } from '../../../cel/compiled-policy.js';
import { isReserved } from '../../../cel/values/property-name.js';
import { listAt } from '../../../go/value.js';
import { trimSpace } from '../../../go/white-space.js';
import { checkMatchResources, checkParamKind } from './match-resources.js';

export function warnings(object: FieldPath, old: FieldPath | undefined): string[] {
  return staticNameWarnings(object.server, object.text('metadata', 'name'), old === undefined);
}

export function checkConstraints(spec: FieldPath): void {
  if (spec.child('paramKind').isSet()) checkParamKind(spec.child('paramKind'));
  const match = spec.child('matchConstraints');
  if (!match.isSet()) {
    match.required();
    return;
  }
  checkMatchResources(match);
  if (match.child('resourceRules').length() === 0) match.child('resourceRules').required();
}

export const specType = 'admissionregistration/v1.ValidatingAdmissionPolicySpec';

/** Validates match conditions; unchanged ones with the same parameters are skipped. */
export function checkConditions(spec: FieldPath, old: FieldPath | undefined): void {
  const isKept = (name: string): boolean =>
    old !== undefined && sameMember(spec.server, spec.child(name).value, old.child('spec', name).value, { type: specType, name });
  if (isKept('paramKind') && isKept('matchConditions')) return;
  const compiler = policyCompiler(spec.server, false);
  const compile = (expression: string) =>
    compiler.compile({ expression, comesTo: 'condition', hasParams: spec.child('paramKind').isSet(), hasAuthorizer: true });
  const conditions = spec.child('matchConditions');
  conditions.add(matchConditionErrors(spec.server, listAt(conditions.value), conditions.path, compile));
}

/** Compiles an expression and reports its errors at a field. */
type ExpressionCheck = (field: FieldPath, expression: string, comesTo: PolicyExpression['comesTo']) => void;

export interface Expressions {
  readonly check: ExpressionCheck;
}

/** Validates variables in order: each may use the previous ones. */
export function checkVariables(spec: FieldPath, hasVariables: boolean): Expressions {
  const compiler: PolicyCompiler = policyCompiler(spec.server, hasVariables);
  const hasParams = spec.child('paramKind').isSet();
  for (const variable of spec.items('variables')) {
    const [name, expression] = [variable.child('name'), variable.child('expression')];
    if (trimSpace(name.text()) === '') name.required('name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name.text()) || isReserved(name.text())) name.invalid('must be a valid CEL identifier');
    if (trimSpace(expression.text()) === '') {
      expression.required('expression is not specified');
      continue;
    }
    const text = expression.text();
    const declared = compiler.declare(name.text(), { expression: text, comesTo: 'anything', hasParams, hasAuthorizer: true });
    expression.add(compilationErrors(declared, text, expression.path));
  }
  return {
    check: (field, expression, comesTo) => {
      // Messages have no authorizer.
      const compiled = compiler.compile({ expression, comesTo, hasParams, hasAuthorizer: comesTo !== 'message' });
      field.add(compilationErrors(compiled, field.text(), field.path));
    },
  };
}
