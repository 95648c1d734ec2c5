import { servedBy } from '../../../apiserver/call/served-resources.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { InputFlags, ReproducingFlags } from '../../../client/options/call-options.js';
import { readAsNeeded } from '../../../client/run/read-as-needed.js';
import { writeYaml } from '../../../encoding/yaml-writer.js';
import type { Value, ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { writeIndented } from '../../../reports/json.js';
import { reportDocument } from '../../../reports/report-document.js';
import { showsPage } from '../../../reports/report-formats.js';
import { documentStream, type ReportStream, textStream } from '../../../reports/report-stream.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { bodyOfCall } from '../../work/calls/call-body.js';
import { predicatesOf } from '../../work/calls/explain.js';
import { type PlanningFlags, planCalls } from '../../work/calls/plan-calls.js';
import { recordPlanning } from '../../work/calls/planning.js';
import { printCases } from '../../work/calls/print-cases.js';
import type { Answered } from '../../work/calls/rendered-results.js';
import { runUnsent } from '../../work/calls/run-unsent.js';
import type { JobsFlags } from '../../work/calls/shared-calls.js';
import { printCalls } from '../../work/calls/threads/print-calls.js';
import type { PageFlags } from '../../work/calls/traced-calls.js';
import type { EditableCalls } from '../../work/edited-calls/print-editable.js';
import type { ReadStateFlags } from '../../work/input/state.js';
import { isServedPage, maxEditable } from '../../work/live-page/served-page.js';
import {
  checkWebhookFlags,
  type RegisteredFlags,
  withOwnConfigurations,
  withRegistrations,
  withUrl,
} from '../../work/webhooks/cluster-webhooks.js';
import { checkConfigurations } from '../../work/webhooks/refused-configurations.js';
import { checkRegistrationFlags } from '../../work/webhooks/refused-registrations.js';
import { unsentDemo } from '../../work/webhooks/registration.js';
import { withoutAuthority } from '../../work/webhooks/unsent-cluster.js';
import { coverageOf, type MatchCoverageRow } from './coverage.js';
import { policyPredicates } from './explain-policy.js';
import { coverageTable, matchTable } from './table.js';

/** How the table of webhooks is printed. */
interface TableFlags extends Pick<PageFlags, 'output'> {
  readonly explain?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly noColor?: boolean | undefined;
}

/** Flags that decide which calls are made, in which state, with which webhooks. */
type MatchedFlags = PlanningFlags & ReadStateFlags & RegisteredFlags & ReproducingFlags;

/** Flags of `match`. Functions take the part that they need; only the command itself has all. */
export type MatchFlags = MatchedFlags &
  TableFlags &
  JobsFlags &
  PageFlags &
  Pick<InputFlags, 'case'> & { readonly allOperations?: boolean | undefined };

/** Prints which webhooks the calls would reach, in order, and why others are skipped. Sends nothing. */
export async function runMatch(flags: MatchFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  checkPageFlags(flags);
  if (flags.case !== undefined) return printCases('match', { ...flags, case: flags.case }, surroundings);
  checkWebhookFlags(flags, given);
  if (flags.allOperations === true) return printCoverage(await planMatches(flags, surroundings, false), flags, surroundings);
  const { surroundings: recorded, planning } = recordPlanning(surroundings);
  const prepared = await prepareMatch(flags, recorded);
  if (!showsPage(flags)) return printCalls({ command: 'match', flags, prepared, planning }, surroundings);
  const { printPage } = await import('../../work/edited-calls/print-page.js');
  return printPage(prepared.results(), { ...prepared, ...prepared.rendering, command: 'match', sendsNothing: true, flags }, surroundings);
}

interface Planned {
  readonly plan: CallPlan;
  /** With the webhooks of the flags. */
  readonly state: ClusterState;
}

/** `seesChanges`: calls meet the webhooks that earlier ones create. */
async function planMatches(flags: MatchedFlags, surroundings: Surroundings, seesChanges: boolean): Promise<Planned> {
  const plan = await planCalls(flags, surroundings);
  for (const warning of plan.warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  await checkRegistrationFlags(flags);
  const createsWebhooks = seesChanges && plan.createsWebhooks === true;
  const state = clusterOf(plan.state, { ...flags, createsWebhooks }, surroundings.cwd);
  if (flags.url === undefined && flags.demo !== true) await checkConfigurations(state);
  return { plan, state };
}

/** Reads and plans the calls of the flags, and prints warnings about them. Throws CliError. */
export async function prepareMatch(flags: MatchedFlags & TableFlags & PageFlags, surroundings: Surroundings): Promise<EditableCalls> {
  const { plan, state } = await planMatches(flags, surroundings, flags.independent !== true);
  const registering = { ...flags, createsWebhooks: plan.createsWebhooks };
  const registeredIn = (changed: ClusterState): ClusterState => clusterOf(changed, registering, surroundings.cwd);
  const { seed, now, independent: isIndependent } = flags;
  const recordsSteps = showsPage(flags);
  const options = { seed, now, recordsSteps, registeredIn, surroundings };
  const keptStates = isServedPage(flags, surroundings) ? maxEditable : 0;
  return {
    total: plan.steps.length,
    results: part => runUnsent(plan, state, { ...options, isIndependent, part, keptStates }),
    again: async (edited, from) => {
      const { planEdited } = await import('../../work/edited-calls/plan-edited.js');
      const made = await planEdited(edited, from, { flags, surroundings });
      return { part: made.part, results: runUnsent(made.plan, made.plan.state, { ...options, isIndependent: true }) };
    },
    rendering: { stream: streamOf(flags, surroundings), showsRefusals: true },
  };
}

function checkPageFlags({ allOperations, case: file, open, output }: Pick<MatchFlags, 'allOperations' | 'case' | 'open' | 'output'>): void {
  if (open === true && file !== undefined) throw new CliError('usage', '--open has no effect with --case');
  if (allOperations !== true || !showsPage({ open, output })) return;
  throw new CliError('usage', `--all-operations and ${open === true ? '--open' : '-o html'} are mutually exclusive`);
}

function clusterOf(state: ClusterState, given: RegisteredFlags & Pick<CallPlan, 'createsWebhooks'>, cwd: string): ClusterState {
  const flags = withoutAuthority(given);
  if (flags.demo === true) return withRegistrations(state, unsentDemo, flags);
  const cluster = flags.url === undefined ? withOwnConfigurations(state, { flags, cwd }) : withUrl(state, flags.url, { flags, cwd });
  if (cluster !== undefined) return cluster;
  if (given.createsWebhooks === true) return state;
  throw new CliError('usage', 'no webhooks specified', {
    suggestions: ['pass --state PATH with webhook configurations', 'describe one with --url', 'use --demo'],
  });
}

function streamOf({ output, all = false, explain = false, noColor }: TableFlags, { env, stdout }: Surroundings): ReportStream<Answered> {
  if (output === 'json' || output === 'yaml')
    return documentStream(output, ({ report }) => withoutDecision(reportDocument(report, { withExchange: false })));
  const palette = terminalPalette({ noColor }, { env, stdout });
  return textStream(({ report: { report }, planned, state }) => {
    const body = bodyOfCall(planned.call);
    const rows = report.webhooks.map(entry => ({ entry, predicates: explain ? predicatesOf(entry, state, body) : [] }));
    const policies = (report.policies ?? []).map(entry => ({ entry, predicates: explain ? policyPredicates(entry, state, body) : [] }));
    return `${matchTable(rows, policies, { isAllowed: report.decision.allowed, listsAll: all || explain, palette }).join('\n')}\n`;
  }, '\n');
}

function inFormat(document: Value, format: string): string {
  return format === 'yaml' ? writeYaml(document) : `${writeIndented(document)}\n`;
}

/** Removes the decision: the command is about selection only. */
function withoutDecision(document: ValueMap): Value {
  return new Map([...document].filter(([key]) => key !== 'decision' && key !== 'kubectl'));
}

async function printCoverage({ plan: { steps }, state }: Planned, { output }: TableFlags, { stdout }: Surroundings): Promise<ExitCode> {
  const { resources } = servedBy(state);
  const paths: string[] = [];
  for (const step of steps) {
    const planned = await readAsNeeded(state.source, () => step.plan(state));
    if (!('skipped' in planned)) paths.push(planned.call.path);
  }
  const found = new Map(paths.flatMap(path => resourceIn(path, resources)).map(at => [at.resource.resource, at]));
  const covered = (): MatchCoverageRow[][] => [...found.values()].map(({ resource, namespace }) => coverageOf(resource, namespace, state));
  const tables = await readAsNeeded(state.source, covered);
  stdout.write(output === undefined || output === 'text' ? tablesText(tables) : inFormat(documentOf(tables), output));
  return exitCodes.allowed;
}

function tablesText(tables: readonly (readonly MatchCoverageRow[])[]): string {
  return `${tables.map(rows => coverageTable(rows).join('\n')).join('\n\n')}\n`;
}

function documentOf(tables: readonly (readonly MatchCoverageRow[])[]): Value {
  return tables
    .flat()
    .map(
      row =>
        new Map<string, Value>([
          ['operation', row.operation],
          ['resource', row.resource],
          ['mutating', [...row.mutating]],
          ['validating', [...row.validating]],
          ...(row.policies === undefined ? [] : ([['policies', [...row.policies]]] as [string, Value][])),
        ]),
    );
}

/** Returns the resource and namespace of a call's path. */
function resourceIn(path: string, resources: readonly Resource[]): { resource: Resource; namespace: string }[] {
  const [, group = '', version = '', namespace = '', name = ''] =
    /^\/(?:api\/|apis\/([^/]+)\/)([^/]+)\/(?:namespaces\/([^/]+)\/(?=[^/?]+))?([^/?]+)/.exec(path) ?? [];
  return resources
    .filter(r => r.group === group && r.version === version && r.resource === name)
    .map(resource => ({ resource, namespace }));
}
