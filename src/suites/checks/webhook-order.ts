import type { Report } from '../../apiserver/report.js';
import { stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

import type { CheckedCall, CheckFinding, CheckResult } from './checked-call.js';
import { differencesBetween, shown } from './differences.js';
import { withoutListOrder } from './list-order.js';
import { ordersToTry, otherOrders } from './orders.js';
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
  const inOrder = (order: readonly number[]): Promise<Report> =>
    again(
      call,
      withMutatingWebhooks(
        state,
        order.flatMap(i => called[i] ?? []).map(({ entry }, i) => ({ name: `${i}.check`, entry })),
      ),
    );
  const own = await inOrder(called.map((_, i) => i));
  const orders = ordersToTry(called.length, maxOrders);
  const notes: string[] = [`${orders.length} of ${otherOrders(called.length)} other orders were tried`];
  for (const order of orders) {
    const difference = differenceOf(state.server, own, await inOrder(order));
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
  if (real !== undefined) return { text: `${first.path} becomes ${shown(first.b)} instead of ${shown(first.a)}`, matters: true };
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
