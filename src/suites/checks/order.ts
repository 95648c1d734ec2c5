import type { Report } from '../../apiserver/report/report.js';
import { compareKeys, writeValue } from '../../go/json/write.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FieldSchema, Schema } from '../../kubernetes/schema.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { differencesBetween, shownDifference } from './differences.js';
import { mutatingWebhooksOf, type Registered, withMutatingWebhooks } from './repeated-webhooks.js';

const check = 'order';

/** The number of other orders of four webhooks. */
const maxOrders = 23;

/**
 * Calls the mutating webhooks in other orders: the result must be the same. The API server orders them by the names of their
 * configurations, which the cluster's administrator chooses.
 */
export async function checkOrder({ call, state, report, again }: CheckedCall): Promise<CheckResult> {
  const called = calledWebhooks(report, mutatingWebhooksOf(state));
  if (called.length < 2) return { findings: [], notes: ['fewer than two mutating webhooks are called'] };
  const repeatInOrder = (order: readonly number[]): Promise<Report> =>
    again(
      call,
      withMutatingWebhooks(
        state,
        order.flatMap(i => called[i] ?? []).map(({ entry }, i) => ({ name: `${i}.check`, entry })),
      ),
    );
  const own = await repeatInOrder(called.map((_, i) => i));
  const orders = ordersToTry(called.length, maxOrders);
  const notes: string[] = [`${orders.length} of ${otherOrders(called.length)} other orders were tried`];
  for (const order of orders) {
    const difference = differenceOf(state.server, own, await repeatInOrder(order));
    if (difference === undefined) continue;
    if (difference.matters) return { findings: [findingOf(called, order, difference.text)], notes: [] };
    if (!notes.includes(difference.text)) notes.push(difference.text);
  }
  return { findings: [], notes };
}

function calledWebhooks({ webhooks }: Report, registered: readonly Registered[]): Registered[] {
  return registered.filter(({ configuration, entry }) =>
    webhooks.some(
      ({ phase, outcome, ...called }) =>
        phase === 'mutating' &&
        outcome !== 'skipped' &&
        called.configuration === configuration &&
        called.webhook === stringAt(entry, 'name'),
    ),
  );
}

function findingOf(called: readonly Registered[], order: readonly number[], text: string): CheckFinding {
  const names = order.map(i => stringAt(called[i]?.entry, 'name'));
  const at = order.findIndex((index, i) => index !== i);
  return { check, webhook: names[at] ?? '', message: `called in the order ${names.join(', ')}: ${text}` };
}

interface OrderDifference {
  readonly text: string;
  /** False if only the order of keyed list items differs, which Kubernetes ignores. */
  readonly matters: boolean;
}

function differenceOf(server: ApiServer, own: Report, other: Report): OrderDifference | undefined {
  if (own.decision.allowed !== other.decision.allowed)
    return { text: `the call is ${decisionOf(other)} instead of ${decisionOf(own)}`, matters: true };
  const a = compared(own.decision.object);
  const b = compared(other.decision.object);
  const [first] = differencesBetween(a, b);
  if (first === undefined) return undefined;
  const [real] = differencesBetween(withoutListOrder(server, a), withoutListOrder(server, b));
  if (real !== undefined)
    return { text: `${first.path} becomes ${shownDifference(first.b)} instead of ${shownDifference(first.a)}`, matters: true };
  return { text: `the items of ${first.path.replace(/\/\d+(\/.*)?$/, '')} are reordered`, matters: false };
}

function decisionOf({ decision }: Report): string {
  return decision.allowed ? 'allowed' : `refused (${stringAt(decision.status, 'message')})`;
}

/** managedFields differ only in their timestamps. */
function compared(object: ValueMap | undefined): Value | undefined {
  const metadata = object?.get('metadata');
  if (object === undefined || !(metadata instanceof Map)) return object;
  return new Map([...object, ['metadata', new Map([...metadata].filter(([key]) => key !== 'managedFields'))]]);
}

/**
 * Sorts the items of the object's keyed lists by their keys: objects that differ only in this order are equivalent to Kubernetes. Init
 * containers keep their order, which is the order of execution. Custom resources keep theirs, because the meaning of their lists is
 * unknown.
 */
function withoutListOrder(server: ApiServer, object: Value | undefined): Value | undefined {
  const schema = isMap(object) ? schemaOfKind(server, kindOf(object)) : undefined;
  return object === undefined || schema === undefined ? object : ordered(object, schema);
}

function ordered(value: Value, schema: Schema, field?: FieldSchema): Value {
  if (isMap(value) && schema.type === 'struct') {
    return new Map(
      [...value].map(([key, member]) => {
        const known = schema.fieldsByName.get(key);
        return [key, known === undefined ? member : ordered(member, known.schema, known)];
      }),
    );
  }
  if (isMap(value) && schema.type === 'map') return new Map([...value].map(([key, member]) => [key, ordered(member, schema.values)]));
  if (!isList(value) || schema.type !== 'list') return value;
  const items = value.map(item => ordered(item, schema.items));
  const key = field?.name === 'initContainers' ? undefined : field?.patchMergeKey;
  return key === undefined ? items : items.sort((a, b) => compareKeys(itemKeyOf(a, key), itemKeyOf(b, key)));
}

function itemKeyOf(item: Value, key: string): string {
  return `${stringAt(item, key)} ${writeValue(item, 'sorted')}`;
}

/**
 * Other orders of `count` items, as lists of their indexes, at most `limit`: first each pair of neighbors swapped, which shows which
 * webhooks depend on each other, then the reverse, then the rest in lexical order.
 */
export function ordersToTry(count: number, limit: number): readonly (readonly number[])[] {
  const own = Array.from({ length: count }, (_, i) => i);
  const swapped = own.slice(1).map(i => own.map(at => (at === i ? i - 1 : at === i - 1 ? i : at)));
  const seen = new Set([String(own)]);
  const orders: (readonly number[])[] = [];
  for (const order of ordersFrom([...swapped, [...own].reverse()], own)) {
    if (orders.length === limit) break;
    if (seen.has(String(order))) continue;
    seen.add(String(order));
    orders.push(order);
  }
  return orders;
}

/** Number of other orders. Infinity where a double is not exact. */
export function otherOrders(count: number): number {
  return Array.from({ length: count }, (_, i) => i + 1).reduce((product, i) => product * i, 1) - 1;
}

function* ordersFrom(first: readonly (readonly number[])[], own: readonly number[]): Generator<readonly number[]> {
  yield* first;
  yield* permutationsOf(own);
}

function* permutationsOf(rest: readonly number[]): Generator<readonly number[]> {
  if (rest.length <= 1) yield rest;
  else
    for (const head of rest) {
      for (const tail of permutationsOf(rest.filter(i => i !== head))) yield [head, ...tail];
    }
}
