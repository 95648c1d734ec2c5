import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { ageOf, count, nameCell, since } from './cell-text.js';

/** The row of a pod. Source: kubernetes pkg/printers/internalversion/printers.go printPod. */
export function podCells(pod: ValueMap, now: Date): Value[] {
  const { ready, total, reason, restarts, lastRestart } = summaryOf(pod);
  const restartsText = restarts !== 0n && lastRestart !== '' ? `${restarts} (${since(lastRestart, now)} ago)` : String(restarts);
  const orNone = (text: string): string => (text === '' ? '<none>' : text);
  const ip = stringAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || stringAt(pod, 'status', 'podIP');
  return [
    nameCell(pod),
    `${ready}/${total}`,
    reason,
    restartsText,
    ageOf(pod, now),
    orNone(ip),
    orNone(stringAt(pod, 'spec', 'nodeName')),
    orNone(stringAt(pod, 'status', 'nominatedNodeName')),
    readinessGates(pod),
  ];
}

/** Conditions of the row of a terminated pod. */
export function podConditions(pod: ValueMap): string | undefined {
  const phase = stringAt(pod, 'status', 'phase');
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : phase === 'Failed' ? 'The pod failed.' : undefined;
  return message === undefined ? undefined : JSON.stringify([{ type: 'Completed', status: 'True', reason: phase, message }]);
}

interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: bigint;
  lastRestart: string;
}

function summaryOf(pod: ValueMap): Summary {
  const phase = stringAt(pod, 'status', 'phase');
  const conditions = listAt(pod, 'status', 'conditions');
  const isGated = conditions.some(c => stringAt(c, 'type') === 'PodScheduled' && stringAt(c, 'reason') === 'SchedulingGated');
  const summary: Summary = {
    ready: 0,
    total: listAt(pod, 'spec', 'containers').length + listAt(pod, 'spec', 'initContainers').filter(isSidecar).length,
    reason: isGated ? 'SchedulingGated' : stringAt(pod, 'status', 'reason') || phase,
    restarts: 0n,
    lastRestart: '',
  };
  const sidecars = { restarts: 0n, lastRestart: '' };
  const isInitializing = initContainers(pod, summary, sidecars);
  const isInitialized = conditions.some(c => stringAt(c, 'type') === 'Initialized' && stringAt(c, 'status') === 'True');
  if (!isInitializing || isInitialized) {
    Object.assign(summary, sidecars);
    containers(pod, summary);
  }
  if (stringAt(pod, 'metadata', 'deletionTimestamp') === '') return summary;
  if (stringAt(pod, 'status', 'reason') === 'NodeLost') summary.reason = 'Unknown';
  else if (phase !== 'Failed' && phase !== 'Succeeded') summary.reason = 'Terminating';
  return summary;
}

function isSidecar(container: Value): boolean {
  return stringAt(container, 'restartPolicy') === 'Always';
}

function noteRestart(of: { restarts: bigint; lastRestart: string }, status: Value): void {
  of.restarts += count(status, 'restartCount');
  const finished = stringAt(status, 'lastState', 'terminated', 'finishedAt');
  if (finished > of.lastRestart) of.lastRestart = finished;
}

/** Processes the init containers up to the first unfinished one; returns whether there is one. */
function initContainers(pod: ValueMap, summary: Summary, sidecars: { restarts: bigint; lastRestart: string }): boolean {
  const specs = listAt(pod, 'spec', 'initContainers');
  for (const [index, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    noteRestart(summary, status);
    const spec = specs.find(container => stringAt(container, 'name') === stringAt(status, 'name'));
    const sidecar = spec !== undefined && isSidecar(spec);
    if (sidecar) noteRestart(sidecars, status);
    const terminated = mapAt(status, 'state', 'terminated');
    if (terminated !== undefined && count(terminated, 'exitCode') === 0n) continue;
    if (sidecar && valueAt(status, 'started') === true) {
      if (valueAt(status, 'ready') === true) summary.ready += 1;
      continue;
    }
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    if (terminated !== undefined) summary.reason = `Init:${endReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.reason = `Init:${waiting}`;
    else summary.reason = `Init:${index}/${specs.length}`;
    return true;
  }
  return false;
}

function endReason(terminated: ValueMap): string {
  const reason = stringAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = count(terminated, 'signal');
  return signal !== 0n ? `Signal:${signal}` : `ExitCode:${count(terminated, 'exitCode')}`;
}

function containers(pod: ValueMap, summary: Summary): void {
  let isRunning = false;
  for (const status of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    noteRestart(summary, status);
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    const terminated = mapAt(status, 'state', 'terminated');
    if (waiting !== '') summary.reason = waiting;
    else if (terminated !== undefined) summary.reason = endReason(terminated);
    else if (valueAt(status, 'ready') === true && mapAt(status, 'state', 'running') !== undefined) {
      isRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== 'Completed' || !isRunning) return;
  const isReady = listAt(pod, 'status', 'conditions').some(c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True');
  summary.reason = isReady ? 'Running' : 'NotReady';
}

function readinessGates(pod: ValueMap): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = listAt(pod, 'status', 'conditions');
  const met = gates.filter(gate => {
    const condition = conditions.find(c => stringAt(c, 'type') === stringAt(gate, 'conditionType'));
    return stringAt(condition, 'status') === 'True';
  });
  return `${met.length}/${gates.length}`;
}
