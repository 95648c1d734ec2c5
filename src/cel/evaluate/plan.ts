import type { Reference } from '../check/checker.js';
import type { TypeProvider } from '../check/type-provider.js';
import { wellKnownValue } from '../library/well-known.js';
import type { CallNode, ComprehensionNode, Expr, SelectNode } from '../syntax/ast.js';
import { operators } from '../syntax/operators.js';
import { celPatchValue } from '../values/patch-values.js';
import { printed } from '../values/printed.js';
import type { Type } from '../values/type.js';
import { type CelValue, celError, isCelOptionalValue, isError, typeValue } from '../values/value.js';
import { addQualifier } from './attribute.js';
import { callStep, equalityStep, optionalOrStep, PlanError } from './call-steps.js';
import type { Dispatcher } from './dispatcher.js';
import { foldStep } from './fold.js';
import type { Attribute, EvaluationFrame, EvaluationStep, Qualifier } from './frame.js';
import { idsOf, observeConstructed } from './observe.js';
import { optimizedCall, optimizedConstruction } from './optimize.js';
import { invalidQualifier, qualifierKeyOf } from './qualifier.js';
import { attributeQualifier, computedQualifier, constantQualifier, presenceQualifier } from './qualifiers.js';
import { attributeStep, constStep, listStep, logicalStep, mapStep } from './steps.js';

/** Input of the planner. */
export interface EvaluationPlan {
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly provider: TypeProvider;
  readonly dispatcher: Dispatcher;
}

/** Plans a checked expression. Throws PlanError when that fails. Source: cel-go interpreter/planner.go. */
export function planStep(p: EvaluationPlan, expr: Expr): EvaluationStep {
  const { id, node } = expr;
  switch (node.kind) {
    case 'literal':
      return constStep(id, node.value);
    case 'ident':
      return namedStep(p, id, node.name);
    case 'select':
      return selectStep(p, id, node);
    case 'call':
      return plannedCall(p, id, node);
    case 'list': {
      const elements = node.elements.map(element => planStep(p, element));
      return optimizedConstruction(listStep(id, elements, node.optionalIndices));
    }
    case 'map': {
      const entries = node.entries.map(({ key, value, optional }) => ({ key: planStep(p, key), value: planStep(p, value), optional }));
      return optimizedConstruction(mapStep(id, entries));
    }
    case 'struct': {
      if (!p.provider.structs.has(node.typeName)) throw new PlanError(`unknown type: ${node.typeName}`);
      const fields = node.fields.map(({ name, value, optional }) => ({ name, value: planStep(p, value), optional }));
      return structStep(id, node.typeName, fields);
    }
    case 'comprehension':
      return plannedFold(p, id, node);
    case 'unspecified':
      throw new PlanError('unsupported expr');
  }
}

function namedStep(p: EvaluationPlan, id: number, name: string): EvaluationStep {
  const reference = p.references.get(id);
  if (reference?.kind !== 'ident') return attributeStep({ kind: 'named', nodeId: id, name, type: undefined, qualifiers: [] });
  if (reference.value !== undefined) return constStep(id, reference.value);
  const type = p.provider.idents.get(reference.name);
  if (p.types.get(id)?.kind === 'type') {
    if (type === undefined) throw new PlanError(`reference to undefined type: ${reference.name}`);
    return constStep(id, typeValue(type));
  }
  return attributeStep({ kind: 'named', nodeId: id, name: reference.name, type, qualifiers: [] });
}

function selectStep(p: EvaluationPlan, id: number, node: SelectNode): EvaluationStep {
  if (p.references.has(id)) return namedStep(p, id, node.field);
  const operand = planStep(p, node.operand);
  if (!node.testOnly) return qualified(operand, constantQualifier(id, node.field, false));
  const step = qualified(operand, presenceQualifier(id, node.field));
  return attributeStep(attributeOf(step), id);
}

/** Adds a qualifier to an attribute step; the step itself if it is one already. */
function qualified(operand: EvaluationStep, qualifier: Qualifier): EvaluationStep {
  const attribute = attributeOf(operand);
  addQualifier(attribute, qualifier);
  return operand.form.kind === 'attribute' ? operand : attributeStep(attribute);
}

/** The step as an attribute. */
function attributeOf(step: EvaluationStep): Attribute {
  if (step.form.kind === 'attribute') return step.form.attribute;
  return { kind: 'relative', nodeId: step.id(), operand: step, qualifiers: [] };
}

function plannedCall(p: EvaluationPlan, id: number, node: CallNode): EvaluationStep {
  const parts = node.target === undefined ? node.args : [node.target, ...node.args];
  const args = parts.map(part => planStep(p, part));
  switch (node.function) {
    case operators.logicalAnd:
      return logicalStep(id, { terms: args, decides: false });
    case operators.logicalOr:
      return logicalStep(id, { terms: args, decides: true });
    case operators.conditional:
      return conditionalStep(id, args);
    case operators.equals:
    case operators.notEquals:
      return equalityStep(id, { args, negated: node.function === operators.notEquals });
    case operators.index:
      return indexStep(id, args, false);
    case operators.optSelect:
    case operators.optIndex:
      return indexStep(id, args, true);
    default:
      return boundCall(p, { id, name: node.function, args });
  }
}

function boundCall(p: EvaluationPlan, { id, name, args }: { id: number; name: string; args: readonly EvaluationStep[] }): EvaluationStep {
  const reference = p.references.get(id);
  const [overload = '', ...others] = reference?.kind === 'function' ? reference.overloads : [];
  const call = { id, function: name, overload: others.length === 0 ? overload : '', args };
  const binding = (call.overload === '' ? undefined : p.dispatcher.get(call.overload)) ?? p.dispatcher.get(name);
  // A wrong number of arguments fails the plan before any optimization replaces the call.
  const step = callStep(call, binding);
  if (args.length === 2 && name === 'or' && ['', 'optional_or_optional'].includes(call.overload)) return optionalOrStep(call, false);
  if (args.length === 2 && name === 'orValue' && ['', 'optional_orValue_value'].includes(call.overload)) return optionalOrStep(call, true);
  return optimizedCall(call, step);
}

function conditionalStep(id: number, [condition, truthy, falsy]: readonly EvaluationStep[]): EvaluationStep {
  if (condition === undefined || truthy === undefined || falsy === undefined) throw new PlanError('no such overload: _?_:_(...)');
  return attributeStep({ kind: 'conditional', nodeId: id, condition, truthy: attributeOf(truthy), falsy: attributeOf(falsy) });
}

function indexStep(id: number, [operand, index]: readonly EvaluationStep[], optional: boolean): EvaluationStep {
  if (operand === undefined || index === undefined) throw new PlanError('no such overload: _[_](...)');
  return qualified(operand, indexQualifier(id, index, optional));
}

function indexQualifier(id: number, index: EvaluationStep, optional: boolean): Qualifier {
  if (index.form.kind === 'attribute') return attributeQualifier(id, index.form.attribute, optional);
  if (index.form.kind !== 'const') return computedQualifier({ kind: 'relative', nodeId: id, operand: index, qualifiers: [] }, optional);
  const key = qualifierKeyOf(index.form.value);
  if (key === undefined) throw new PlanError(invalidQualifier(index.form.value));
  return constantQualifier(id, key, optional);
}

function plannedFold(p: EvaluationPlan, id: number, node: ComprehensionNode): EvaluationStep {
  // In cel-go's planning order, which determines the error that is found first.
  const accuInit = planStep(p, node.accuInit);
  const iterRange = planStep(p, node.iterRange);
  const condition = planStep(p, node.loopCondition);
  const step = planStep(p, node.loopStep);
  const result = planStep(p, node.result);
  const { iterVar, iterVar2, accuVar } = node;
  return foldStep({ id, iterRange, iterVar, iterVar2, accuVar, accuInit, condition, step, result });
}

/** A field of a message literal. */
interface FieldStep {
  readonly name: string;
  readonly value: EvaluationStep;
  readonly optional: boolean;
}

/** A message literal. Kubernetes' own types can be named but not constructed. Source: cel-go interpretable.go evalObj. */
function structStep(id: number, typeName: string, fields: readonly FieldStep[]): EvaluationStep {
  const observed = { id, parts: idsOf(fields.map(field => field.value)), price: structPrice };
  const evaluate = (frame: EvaluationFrame): CelValue => observeConstructed(frame, observed, structValue(frame, typeName, fields));
  return { form: { kind: 'other' }, id: () => id, evaluate };
}

const structPrice = 40;

function structValue(frame: EvaluationFrame, typeName: string, fields: readonly FieldStep[]): CelValue {
  const given = new Map<string, CelValue>();
  for (const { name, value: step, optional } of fields) {
    const value = step.evaluate(frame);
    if (isError(value)) return value;
    if (!optional) given.set(name, value);
    else if (!isCelOptionalValue(value)) {
      return celError(`cannot initialize optional entry '${name}' from non-optional value ${printed(value)}`);
    } else if (value.value === undefined) given.delete(name);
    else given.set(name, value.value);
  }
  return celPatchValue(typeName, given) ?? wellKnownValue(typeName, given) ?? celError(`unknown type '${typeName}'`);
}
