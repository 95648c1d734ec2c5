import { type Explored, findSituations, type Reached } from './explore.js';
import type { NamedOrder } from './orders.js';
import { type Culprit, culpritOf, describedSteps, type RehearsalProblem, reasonOf } from './problem.js';
import type { Obstacle, RehearsalStep, RehearsalUnit, RehearsalWorld, Situation } from './rehearsal.js';

/** Result of creating everything in every order. */
export interface InstallationResult<S extends Situation> {
  readonly problems: readonly RehearsalProblem[];
  /** A situation in which everything exists and runs; otherwise why there is none. */
  readonly installed: S | { readonly refusal: string };
  readonly isComplete: boolean;
}

/** Creates the units of a world in every order, and in those of tools, and tries again what was refused. */
export async function rehearseInstallation<S extends Situation>(
  world: RehearsalWorld<S>,
  { orders, limit }: { readonly orders: readonly NamedOrder[]; readonly limit: number },
): Promise<InstallationResult<S>> {
  const explored = await findSituations(world, world.start, { stepsFrom: situation => installSteps(situation, world.units), limit });
  const finished: Finished<S>[] = [];
  for (const end of explored.reached.values()) if (end.next.length === 0) finished.push(await createObjects(end, world));
  const installed = finished.find(({ situation }) => isInstalled(situation, world.units));
  const working = installed === undefined ? undefined : describedSteps(installed.end.steps, world.units);
  const stuck = finished.flatMap(one => (isInstalled(one.situation, world.units) ? [] : stuckProblems(one, world.units, working)));
  return {
    problems: [...withoutTwins(stuck), ...(await findRefusedAtFirst(world, orders))],
    installed: installed?.situation ?? { refusal: firstRefusal(finished, explored, world.units) },
    isComplete: explored.isComplete,
  };
}

/** The end of an order, with the objects. */
interface Finished<S extends Situation> {
  readonly end: Reached<S>;
  readonly situation: S;
  readonly refused: readonly { readonly step: RehearsalStep; readonly obstacle: Obstacle }[];
}

/** First what never matters; objects are left for the end, because nothing waits for them. */
function installSteps({ states }: Situation, units: readonly RehearsalUnit[]): readonly RehearsalStep[] {
  const isMissing = (i: number): boolean => states[i] === 'absent' || states[i] === 'partial';
  const first = units.findIndex((unit, i) => unit.isUnguarded && isMissing(i));
  if (first >= 0) return [{ action: 'create', unit: first }];
  return units.flatMap(({ kind }, unit): RehearsalStep[] => {
    if (kind === 'objects') return [];
    if (isMissing(unit)) return [{ action: 'create', unit }];
    return kind === 'workload' && states[unit] === 'present' ? [{ action: 'start', unit }] : [];
  });
}

async function createObjects<S extends Situation>(end: Reached<S>, world: RehearsalWorld<S>): Promise<Finished<S>> {
  let { situation } = end;
  const refused = [...end.refused];
  for (const [unit, { kind }] of world.units.entries()) {
    if (kind !== 'objects') continue;
    const step = { action: 'create', unit } as const;
    const { to, refusal } = await world.take(situation, step);
    situation = to;
    if (refusal !== undefined) refused.push({ step, obstacle: refusal });
  }
  return { end, situation, refused };
}

function isInstalled({ states }: Situation, units: readonly RehearsalUnit[]): boolean {
  return units.every(({ kind }, i) => states[i] === (kind === 'workload' ? 'ready' : 'present'));
}

function stuckProblems<S extends Situation>(
  { end: { steps }, refused }: Finished<S>,
  units: readonly RehearsalUnit[],
  working: string | undefined,
): RehearsalProblem[] {
  return refused.flatMap(({ step, obstacle }): RehearsalProblem[] => {
    const culprit = culpritOf(obstacle, units);
    const unit = units[step.unit];
    if (culprit === undefined || unit === undefined || unit.kind === 'objects') return [];
    const what = step.action === 'start' ? `the pods of ${unit.name} never become ready` : `${unit.name} can never be created`;
    const message = `created in the order ${describedSteps(steps, units)}: ${what}: ${reasonOf(obstacle)}`;
    const fix = `exclude the namespace of the workload with a namespaceSelector on kubernetes.io/metadata.name: NotIn`;
    return [{ rule: 'stuck-on-install', culprit, message, fix: working === undefined ? fix : `${fix}; or create ${working}` }];
  });
}

/** Keeps the first problem of each webhook: those of longer orders have the same cause. */
function withoutTwins(problems: readonly RehearsalProblem[]): readonly RehearsalProblem[] {
  const isTwin = (a: Culprit, b: Culprit): boolean => a.object === b.object && a.pointer === b.pointer;
  return problems.filter(({ culprit }, i) => problems.findIndex(other => isTwin(other.culprit, culprit)) === i);
}

function firstRefusal<S extends Situation>(
  finished: readonly Finished<S>[],
  { reached }: Explored<S>,
  units: readonly RehearsalUnit[],
): string {
  const [refusal] = [...finished, ...reached.values()].flatMap(({ refused }) => refused);
  return refusal === undefined
    ? 'there are too many orders'
    : `${units[refusal.step.unit]?.name} is refused: ${reasonOf(refusal.obstacle)}`;
}

/** Returns what tools are refused at first, because pods are not ready at once, and not when they try again. */
async function findRefusedAtFirst<S extends Situation>(
  world: RehearsalWorld<S>,
  orders: readonly NamedOrder[],
): Promise<RehearsalProblem[]> {
  const found: { readonly unit: number; readonly tools: string[]; readonly refusal: Obstacle }[] = [];
  for (const { tool, install } of orders) {
    let situation = world.start;
    for (const unit of install) {
      const { to, refusal } = await world.take(situation, { action: 'create', unit });
      situation = to;
      if (refusal?.unanswered === undefined) continue;
      const known = found.find(one => one.unit === unit);
      if (known === undefined) found.push({ unit, tools: [tool], refusal });
      else known.tools.push(tool);
    }
  }
  return found.flatMap(({ unit, tools, refusal }): RehearsalProblem[] => {
    const culprit = culpritOf(refusal, world.units);
    if (culprit === undefined) return [];
    const message = `${world.units[unit]?.name} is refused at first, created in the order of ${tools.join(' and ')}: ${reasonOf(refusal)}`;
    return [{ rule: 'refused-at-first', culprit, message }];
  });
}
