import type { CheckedExpression } from '../program/compile.js';
import type { Expr, ListNode, MapNode, SelectNode } from '../syntax/ast.js';
import { accessPathOf } from './access-path.js';
import { estimateCall } from './estimate-call.js';
import { estimateComprehension } from './estimate-comprehension.js';
import type { DeclaredSizes } from './estimated-call.js';
import { costOf, extendPath, type KnownSizes, localVariable, newKnownSizes, setEntries, sizeOrUnknown, typeOfExpr } from './known-sizes.js';
import { eitherSize, exactSize, type SizeEstimate } from './size-estimate.js';
import { cappedSum, maxUint64 } from './uint64.js';

/**
 * Estimates the maximum cost of an expression, in evaluation cost units; the maximum uint64 if it is unbounded. Source: cel-go
 * checker/cost.go Cost; apiserver pkg/cel/environment/base.go for free presence tests.
 */
export function estimateCost(checked: CheckedExpression, declaredSizes: DeclaredSizes): bigint {
  return estimateNode(newKnownSizes(checked, declaredSizes, estimateNode), checked.expr);
}

/** Estimates a part of an expression, with the sizes that the parts around it have. */
export function estimateNode(known: KnownSizes, e: Expr): bigint {
  const { node } = e;
  switch (node.kind) {
    case 'ident': {
      const local = localVariable(known, node.name);
      known.paths.set(e.id, local === undefined ? accessPathOf(node.name) : local.path);
      return selectAndIdentCost;
    }
    case 'select':
      return costOfSelect(known, e, node);
    case 'call':
      return estimateCall(known, e, node);
    case 'list':
      return costOfList(known, e, node);
    case 'map':
      return costOfMap(known, e, node);
    case 'struct':
      return cappedSum(structCreateBaseCost, ...node.fields.map(field => costOf(known, field.value)));
    case 'comprehension':
      return estimateComprehension(known, e, node);
    default:
      return 0n;
  }
}

const selectAndIdentCost = 1n;
const listCreateBaseCost = 10n;
const mapCreateBaseCost = 30n;
const structCreateBaseCost = 40n;

/** Selecting a field has a cost only if the operand's type is a map or struct. */
function costOfSelect(known: KnownSizes, e: Expr, { operand, field, testOnly }: SelectNode): bigint {
  const cost = costOf(known, operand);
  if (testOnly) return cost;
  extendPath(known, e, { from: operand, step: field });
  const isSelected = ['map', 'struct'].includes(typeOfExpr(known, operand).kind);
  return isSelected ? cappedSum(cost, selectAndIdentCost) : cost;
}

function costOfList(known: KnownSizes, e: Expr, { elements }: ListNode): bigint {
  const parts = elements.map(element => costAndSize(known, element));
  setEntries(known, e, { container: 'list', key: exactSize(1n), value: anyOf(parts) });
  return cappedSum(listCreateBaseCost, ...parts.map(part => part.cost));
}

function costOfMap(known: KnownSizes, e: Expr, { entries }: MapNode): bigint {
  const keys: CostAndSize[] = [];
  const values: CostAndSize[] = [];
  for (const { key, value } of entries) {
    const keyCost = costOf(known, key);
    const valueCost = costOf(known, value);
    keys.push({ cost: keyCost, size: sizeOrUnknown(known, key) });
    values.push({ cost: valueCost, size: sizeOrUnknown(known, value) });
  }
  setEntries(known, e, { container: 'map', key: anyOf(keys), value: anyOf(values) });
  return cappedSum(mapCreateBaseCost, ...[...keys, ...values].map(part => part.cost));
}

interface CostAndSize {
  readonly cost: bigint;
  readonly size: SizeEstimate;
}

function costAndSize(known: KnownSizes, e: Expr): CostAndSize {
  const cost = costOf(known, e);
  return { cost, size: sizeOrUnknown(known, e) };
}

/** Size range that covers all of the given sizes. */
function anyOf(parts: readonly CostAndSize[]): SizeEstimate {
  if (parts.length === 0) return exactSize(0n);
  return parts.map(part => part.size).reduce(eitherSize, { min: maxUint64, max: 0n });
}
