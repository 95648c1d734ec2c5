import { stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { printText } from '../discovery/prometheus-text.js';
import type { Store } from '../store/store.js';
import { levelKind } from './flow-kinds.js';

/** Requests in flight that kube-apiserver shares between levels: the defaults of --max-requests-inflight and --max-mutating-requests-inflight. */
const serverSeats = 600;

/** Returns the seats of the priority levels as metrics, in Prometheus' text format. Source: apiserver util/flowcontrol/apf_controller.go, metrics/metrics.go. */
export function seatMetricsText(store: Pick<Store, 'list'>): string {
  const levels = store.list(levelKind);
  const total = levels.reduce((sum, level) => sum + sharesOf(level), 0);
  const seats = levels.map(level => ({ labels: { priority_level: stringAt(level, 'metadata', 'name') }, ...seatsOf(level, total) }));
  const gauge = (bound: keyof Seats, help: string): string => {
    const samples = seats.map(({ labels, [bound]: value }) => ({ labels, value }));
    return printText(`apiserver_flowcontrol_${bound}_limit_seats`, 'gauge', help, samples);
  };
  return [
    gauge('nominal', '[BETA] Nominal number of execution seats configured for each priority level'),
    gauge('lower', '[ALPHA] Configured lower bound on number of execution seats available to each priority level'),
    gauge('upper', '[ALPHA] Configured upper bound on number of execution seats available to each priority level'),
  ].join('');
}

interface Seats {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

function seatsOf(level: ValueMap, totalShares: number): Seats {
  const nominal = totalShares === 0 ? 0 : Math.ceil((serverSeats * sharesOf(level)) / totalShares);
  const borrowing = numberOf(level, 'borrowingLimitPercent');
  const lendable = Math.round((nominal * (numberOf(level, 'lendablePercent') ?? 0)) / 100);
  const borrowable = borrowing === undefined ? serverSeats : Math.round((nominal * borrowing) / 100);
  return { nominal, lower: nominal - lendable, upper: nominal + borrowable };
}

/** A level is limited or exempt. */
function sharesOf(level: ValueMap): number {
  return numberOf(level, 'nominalConcurrencyShares') ?? 0;
}

function numberOf(level: ValueMap, name: string): number | undefined {
  const value = valueAt(level, 'spec', 'limited', name) ?? valueAt(level, 'spec', 'exempt', name);
  return value === undefined || value === null ? undefined : Number(value);
}
