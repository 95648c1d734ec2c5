import { type Explored, findSituations, keyOfSituation, type Reached } from './explore.js';
import type { NamedOrder } from './orders.js';
import { type Culprit, culpritOf, describedSteps, type RehearsalProblem, reasonOf } from './problem.js';
import type { Obstacle, RehearsalStep, RehearsalUnit, RehearsalWorld, Situation } from './rehearsal.js';

/** Deletes the units of a world in every order, from a situation in which everything runs. */
export async function rehearseRemoval<S extends Situation>(
  world: RehearsalWorld<S>,
  installed: S,
  { orders, limit }: { readonly orders: readonly NamedOrder[]; readonly limit: number },
): Promise<{ readonly problems: readonly RehearsalProblem[]; readonly isComplete: boolean }> {
  const explored = await findSituations(world, installed, { stepsFrom: ({ states }) => removalSteps(states), limit });
  const ends = await tryOrdersOfTools(world, installed, orders);
  const problems = joined(world.units.flatMap((_, unit) => hangOf(unit, explored, world.units) ?? [])).map(hang =>
    hangProblem(hang, { explored, units: world.units, ends }),
  );
  return { problems: [...problems, ...(await findLeftBehind(world, installed))], isComplete: explored.isComplete };
}

function removalSteps(states: Situation['states']): readonly RehearsalStep[] {
  return states.flatMap((state, unit): RehearsalStep[] => (state === 'absent' || state === 'leaving' ? [] : [{ action: 'delete', unit }]));
}

/** Units that stay after an order of deletions. */
interface Hang {
  readonly steps: readonly RehearsalStep[];
  readonly units: readonly number[];
  readonly obstacle: Obstacle;
  readonly culprit: Culprit;
  /** What must be deleted, too, for them to go away; undefined: nothing helps. */
  readonly until: string | undefined;
}

/** Returns the shortest order after which a unit is being deleted and stays: forever, or after one deletion until something else is deleted, too. */
function hangOf<S extends Situation>(unit: number, explored: Explored<S>, units: readonly RehearsalUnit[]): Hang | undefined {
  const all = [...explored.reached.values()].filter(({ situation }) => situation.obstacles.has(unit));
  const untilOf = (one: Reached<S>): string | undefined => freeingStep(one, unit, explored, units);
  const forever = explored.isComplete ? all.find(one => untilOf(one) === undefined) : undefined;
  const found = forever ?? all.find(({ steps }) => steps.length === 1);
  // What stays for another reason at first stays for this one when everything else is gone.
  const obstacle = (forever === undefined ? found : endOf(forever, explored))?.situation.obstacles.get(unit);
  const culprit = obstacle === undefined ? undefined : culpritOf(obstacle, units);
  if (found === undefined || obstacle === undefined || culprit === undefined) return undefined;
  return { steps: found.steps, units: [unit], obstacle, culprit, until: forever === undefined ? untilOf(found) : undefined };
}

/** Returns where the deletion of everything else ends. */
function endOf<S extends Situation>(from: Reached<S>, { reached }: Explored<S>): Reached<S> {
  const [key = ''] = from.next;
  const next = reached.get(key);
  return next === undefined ? from : endOf(next, { reached, isComplete: true });
}

/** Joins units that stay after the same deletions because of the same object. */
function joined(hangs: readonly Hang[]): readonly Hang[] {
  const groups: Hang[] = [];
  for (const hang of hangs) {
    const index = groups.findIndex(
      ({ steps, culprit, until }) =>
        JSON.stringify(steps) === JSON.stringify(hang.steps) && culprit.object === hang.culprit.object && until === hang.until,
    );
    const known = groups[index];
    if (known === undefined) groups.push(hang);
    else groups[index] = { ...known, units: [...known.units, ...hang.units] };
  }
  return groups;
}

interface Removed<S extends Situation> {
  readonly explored: Explored<S>;
  readonly units: readonly RehearsalUnit[];
  /** Where tools end, by their names. */
  readonly ends: ReadonlyMap<string, S>;
}

function hangProblem<S extends Situation>(
  { steps, units: own, obstacle, culprit, until }: Hang,
  { explored, units, ends }: Removed<S>,
): RehearsalProblem {
  const names = own.map(unit => units[unit]?.name).join(' and ');
  const [goes, stays] = own.length > 1 ? ['never go away', 'stay'] : ['never goes away', 'stays'];
  const end = until === undefined ? goes : `${stays} until ${until} is deleted, too`;
  const tools = [...ends].filter(([, { states }]) => own.some(unit => states[unit] === 'leaving')).map(([tool]) => tool);
  const by = until !== undefined || tools.length === 0 ? '' : `; the order of ${tools.join(' and ')} can end so`;
  const working = cleanOrder(explored, units);
  const fix = working === undefined ? undefined : `delete in this order, and wait for each: ${working}`;
  const message = `after deleting ${describedSteps(steps, units)}: ${names} ${end}: ${reasonOf(obstacle)}${by}`;
  return { rule: 'hangs-on-removal', culprit, message, fix };
}

/** What depends on others is deleted before them. */
const removalOrder = ['objects', 'configuration', 'definition', 'workload', 'namespace'] as const;

/** Returns the names of units in an order of deletions in which nothing has to wait; undefined if there is none. */
function cleanOrder<S extends Situation>({ reached }: Explored<S>, units: readonly RehearsalUnit[]): string | undefined {
  const seen = new Set<string>();
  const from = (one: Reached<S>): readonly number[] | undefined => {
    if (one.situation.states.every(state => state === 'absent')) return [];
    const rankOf = ({ unit }: { readonly unit: number }): number => removalOrder.indexOf(units[unit]?.kind ?? 'namespace');
    const ways = one.next.map(key => ({ key, unit: deletedUnit(one.situation, reached.get(key)?.situation ?? one.situation, units) }));
    for (const { key, unit } of ways.sort((a, b) => rankOf(a) - rankOf(b))) {
      const next = reached.get(key);
      if (next === undefined || seen.has(key) || next.situation.states.includes('leaving')) continue;
      seen.add(key);
      const others = from(next);
      if (others !== undefined) return [unit, ...others];
    }
    return undefined;
  };
  const [start] = reached.values();
  return (start === undefined ? undefined : from(start))?.map(unit => units[unit]?.name).join(', ');
}

/** Returns the last of the deletions that free a unit, by the shortest way; undefined if none does. */
function freeingStep<S extends Situation>(
  from: Reached<S>,
  unit: number,
  { reached }: Explored<S>,
  units: readonly RehearsalUnit[],
): string | undefined {
  const seen = new Set([keyOfSituation(from.situation)]);
  const waiting = [from];
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    for (const key of one.next) {
      const next = reached.get(key);
      if (next === undefined || seen.has(key)) continue;
      if (next.situation.states[unit] === 'absent') return units[deletedUnit(one.situation, next.situation, units)]?.name;
      seen.add(key);
      waiting.push(next);
    }
  }
  return undefined;
}

/** Returns the unit that was deleted between two situations; others that were being deleted, or were in it, may be gone as well. */
function deletedUnit(before: Situation, after: Situation, units: readonly RehearsalUnit[]): number {
  const changed = [...units.keys()].filter(i => !isGoing(before, i) && isGoing(after, i));
  const namespace = changed.find(i => units[i]?.kind === 'namespace');
  return namespace ?? changed[0] ?? -1;
}

function isGoing({ states }: Situation, unit: number): boolean {
  return states[unit] === 'absent' || states[unit] === 'leaving';
}

async function tryOrdersOfTools<S extends Situation>(
  world: RehearsalWorld<S>,
  installed: S,
  orders: readonly NamedOrder[],
): Promise<ReadonlyMap<string, S>> {
  const ends = new Map<string, S>();
  for (const { tool, remove } of orders) {
    let situation = installed;
    for (const unit of remove) situation = (await world.take(situation, { action: 'delete', unit })).to;
    ends.set(tool, situation);
  }
  return ends;
}

/** Returns the configurations that refuse calls of others when the workloads are gone. */
async function findLeftBehind<S extends Situation>(world: RehearsalWorld<S>, installed: S): Promise<RehearsalProblem[]> {
  const { units } = world;
  const deleted = units.some(({ kind }) => kind === 'namespace') ? 'namespace' : 'workload';
  const steps = units.flatMap(({ kind }, unit): RehearsalStep[] => (kind === deleted ? [{ action: 'delete', unit }] : []));
  let situation = installed;
  for (const step of steps) situation = (await world.take(situation, step)).to;
  const found = new Map<string, { readonly culprit: Culprit; readonly obstacle: Obstacle; readonly resources: string[] }>();
  for (const obstacle of await world.createElsewhere(situation)) {
    const culprit = culpritOf(obstacle, units);
    if (culprit === undefined) continue;
    const key = `${units.findIndex(({ objects }) => objects.includes(culprit.object))}${culprit.pointer}`;
    const known = found.get(key) ?? { culprit, obstacle, resources: [] };
    found.set(key, { ...known, resources: [...known.resources, obstacle.resource] });
  }
  return [...found.values()].map(({ culprit, obstacle, resources }) => {
    const what = `it still refuses to create ${resources.join(', ')} in other namespaces`;
    const message = `after deleting ${describedSteps(steps, units)}: ${what}: ${reasonOf(obstacle)}`;
    return { rule: 'left-behind', culprit, message };
  });
}
