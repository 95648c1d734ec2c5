import { sameMember } from '../../../apiserver/registry/validation/immutable.js';
import { matchConditionErrors } from '../../../apiserver/registry/validation/match-conditions.js';
import { compilationErrors } from '../../../apiserver/registry/validation/match-expression.js';
import {
  addInvalid,
  addRequired,
  at,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { staticNameWarnings } from '../../../apiserver/registry/validation/static-name.js';
import { type PolicyCompiler, type PolicyExpression, policyCompiler } from '../../../cel/compiled-policy.js';
import { isReserved } from '../../../cel/values/property-name.js';
import { listAt } from '../../../go/value.js';
import { trimSpace } from '../../../go/white-space.js';
import { checkMatchResources, checkParamKind } from './match-resources.js';

export function warnings(object: Place, old: Place | undefined): string[] {
  return staticNameWarnings(object.server, textAt(object, 'metadata', 'name'), old === undefined);
}

export function checkConstraints(spec: Place): void {
  if (isSet(at(spec, 'paramKind'))) checkParamKind(at(spec, 'paramKind'));
  const match = at(spec, 'matchConstraints');
  if (!isSet(match)) {
    addRequired(match);
    return;
  }
  checkMatchResources(match);
  if (lengthOf(at(match, 'resourceRules')) === 0) addRequired(at(match, 'resourceRules'));
}

export const specType = 'admissionregistration/v1.ValidatingAdmissionPolicySpec';

/** Validates match conditions; unchanged ones with the same parameters are skipped. */
export function checkConditions(spec: Place, old: Place | undefined): void {
  const isKept = (name: string): boolean =>
    old !== undefined && sameMember(spec.server, at(spec, name).value, at(old, 'spec', name).value, { type: specType, name });
  if (isKept('paramKind') && isKept('matchConditions')) return;
  const compiler = policyCompiler(spec.server, false);
  const compile = (expression: string) =>
    compiler.compile({ expression, comesTo: 'condition', hasParams: isSet(at(spec, 'paramKind')), hasAuthorizer: true });
  const conditions = at(spec, 'matchConditions');
  conditions.errors.push(...matchConditionErrors(spec.server, listAt(conditions.value), conditions.path, compile));
}

/** Compiles an expression and reports its errors at a place. */
type ExpressionCheck = (place: Place, expression: string, comesTo: PolicyExpression['comesTo']) => void;

export interface Expressions {
  readonly check: ExpressionCheck;
}

/** Validates variables in order: each may use the previous ones. */
export function checkVariables(spec: Place, hasVariables: boolean): Expressions {
  const compiler: PolicyCompiler = policyCompiler(spec.server, hasVariables);
  const hasParams = isSet(at(spec, 'paramKind'));
  for (const variable of itemsAt(spec, 'variables')) {
    const [name, expression] = [at(variable, 'name'), at(variable, 'expression')];
    if (trimSpace(textOf(name)) === '') addRequired(name, 'name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(textOf(name)) || isReserved(textOf(name))) addInvalid(name, 'must be a valid CEL identifier');
    if (trimSpace(textOf(expression)) === '') {
      addRequired(expression, 'expression is not specified');
      continue;
    }
    const text = textOf(expression);
    const declared = compiler.declare(textOf(name), { expression: text, comesTo: 'anything', hasParams, hasAuthorizer: true });
    expression.errors.push(...compilationErrors(declared, text, expression.path));
  }
  return {
    check: (place, expression, comesTo) => {
      // Messages have no authorizer.
      const compiled = compiler.compile({ expression, comesTo, hasParams, hasAuthorizer: comesTo !== 'message' });
      place.errors.push(...compilationErrors(compiled, textOf(place), place.path));
    },
  };
}
