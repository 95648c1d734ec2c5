import { CliError, type Location } from '../../../client/cli-error.js';
import type { LocatedManifest } from '../../../client/manifests/manifests.js';
import { nearest } from '../../../client/nearest.js';
import { stringAt } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { newerExpressions } from '../../../lint/newer-expressions.js';
import { rehearsalRules } from '../../../lint/rehearsal/rehearsal-rules.js';
import { type FoundByRule, lint } from '../../../lint/rule.js';
import { lintRules } from '../../../lint/rules/rules.js';
import { type Severity, severities } from '../../../lint/severity.js';
import { lintGithub, lintGitlab, lintJson, lintSarif, lintText, type PlacedFinding } from '../../../reports/lint-report.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodeOfError, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';
import { sentenceOf } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { apiServers } from '../../work/api-servers/api-servers.js';
import { printCases } from '../../work/calls/print-cases.js';
import { choosesCluster } from '../../work/cluster/cluster-flags.js';
import { askForMinor } from '../../work/cluster/minor-for.js';
import { readInputFiles } from '../../work/input/files.js';
import { readEntries } from '../../work/input/read-manifests.js';
import { lintSubjectOf } from '../../work/lint/lint-subject.js';
import { findCausesOfRefusal } from '../../work/refusals/refusals.js';
import { isApiService, isConfiguration, isPolicyObject } from '../../work/webhooks/configurations.js';
import { type KustomizedEntries, withoutKustomizeFiles } from './kustomize-files.js';
import type { LintFlags, RuleLevel } from './lint-options.js';

/** Prints what the API server refuses in webhook configurations and definitions, and known risks. */
export async function runLint({ state, ...given }: LintFlags, surroundings: Surroundings): Promise<ExitCode> {
  const flags = { ...given, filename: given.filename ?? state };
  if (flags.case !== undefined) return printCases('lint', { ...flags, case: flags.case }, surroundings);
  if (flags.filename === undefined && !choosesCluster(flags)) {
    throw new CliError('usage', 'no manifests specified', {
      suggestions: ['pass a manifest with -f', 'a cluster with --context', 'name them in webhook-cli.yaml as state'],
    });
  }
  const levels = levelsOf(flags.rule ?? []);
  const server = apiServers({ minor: await askForMinor(flags, surroundings) });
  if (flags.defaulted === true) return printDefaulted(server, flags, surroundings);
  const { entries, warnings, convertedByPatches, patching } = await readLintEntries(flags, surroundings);
  for (const warning of warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  const errors = entries.filter(entry => entry instanceof CliError);
  const manifests = entries.filter((entry): entry is LocatedManifest => !(entry instanceof CliError));
  const costs = flags.explainCost === true ? await import('../../work/lint/cost/explain-cost.js') : undefined;
  const rehearse = flags.rehearse === true ? (await import('../../work/lint/rehearsal/rehearse.js')).rehearse : undefined;
  const options = { levels, errors, convertedByPatches, now: surroundings.now(), costs, oldest: flags.minKubernetes, rehearse };
  const { findings, notes } = await lintManifests(server, manifests, options);
  for (const note of [...notes, ...unappliedPatches(patching)]) surroundings.stderr.write(`note: ${note}\n`);
  surroundings.stdout.write(printed(findings, flags, surroundings));
  for (const error of errors) surroundings.stderr.write(`${sentenceOf(error)}\n`);
  if (errors.length > 0 && entries.length > 1) surroundings.stderr.write(`${entries.length} documents: ${errors.length} unusable\n`);
  const bar = severities.indexOf(flags.failOn ?? 'error');
  const isFailed = findings.some(({ severity }) => severities.indexOf(severity) >= bar);
  return gravestExitCode([...errors.map(exitCodeOfError), isFailed ? exitCodes.refused : exitCodes.allowed]);
}

async function printDefaulted(server: ApiServer, flags: LintFlags, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.filename === undefined || choosesCluster(flags))
    throw new CliError('usage', '--defaulted needs files', { suggestions: ['pass a manifest with -f'] });
  const { defaultedText } = await import('../../work/lint/defaulted-text.js');
  const files = await readInputFiles({ flag: '-f', paths: flags.filename, recursive: flags.recursive ?? false }, surroundings);
  const texts: string[] = [];
  for (const file of files) texts.push(await defaultedText(server, file));
  surroundings.stdout.write(texts.map((text, i) => (i === 0 || text.startsWith('---') ? text : `---\n${text}`)).join(''));
  return exitCodes.allowed;
}

const maxShownFolders = 3;

/** Returns the note that objects are linted without the patches of their kustomizations. */
function unappliedPatches(folders: readonly string[]): string[] {
  if (folders.length === 0) return [];
  const others = folders.length > maxShownFolders ? ` and ${folders.length - maxShownFolders} other folders` : '';
  const shown = `${printable(folders.slice(0, maxShownFolders).join(', '))}${others}`;
  return [`the patches in ${shown} are not applied; -k DIR checks what a kustomization builds`];
}

/** Manifests of the flags, then objects of the cluster that they do not replace. */
async function readLintEntries(flags: LintFlags, surroundings: Surroundings): Promise<Omit<KustomizedEntries, 'files'>> {
  const selection = { flag: '-f', paths: flags.filename ?? [], recursive: flags.recursive ?? false };
  const none = { entries: [], warnings: [], convertedByPatches: new Set<string>(), patching: [] };
  const given =
    flags.filename === undefined
      ? none
      : withoutKustomizeFiles(await readEntries(selection, surroundings), flags.filename, surroundings.cwd);
  if (!choosesCluster(flags)) return given;
  const { appendManifestsInCluster } = await import('./whole-manifests.js');
  return { ...given, entries: await appendManifestsInCluster(flags, given.entries, surroundings) };
}

/** Rules for findings of the API server itself, and of flags. */
const ownRules = [
  ...rehearsalRules,
  { id: 'api-refuses', reason: 'the API server refuses it', fix: 'see the message' },
  { id: 'api-warns', reason: 'the API server warns about it', fix: 'see the message' },
  {
    id: 'expression-too-new',
    reason: 'an API server refuses new expressions with functions that the minor before it does not have',
    fix: 'write it without them, or require a newer Kubernetes',
  },
  {
    id: 'rule-cost',
    reason: 'the API server estimates the cost of an expression with the largest values that the schema allows',
    fix: 'limit the sizes of the values, or simplify the rule',
  },
];

/** Returns the levels of `--rule`; the last one of a rule applies. Throws CliError for unknown rules. */
function levelsOf(assignments: readonly RuleLevel[]): Map<string, Severity | 'off'> {
  const known = [...ownRules, ...lintRules].map(rule => rule.id);
  return new Map(
    assignments.map(({ id, level }) => {
      if (!known.includes(id)) {
        const meant = nearest(id, known);
        const suggestions = [meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`];
        throw new CliError('usage', `unknown rule ${JSON.stringify(id)}`, { suggestions });
      }
      return [id, level] as const;
    }),
  );
}

interface FindingsOptions {
  readonly levels: ReadonlyMap<string, Severity | 'off'>;
  readonly errors: CliError[];
  readonly convertedByPatches: ReadonlySet<string>;
  readonly now: Date;
  /** Minor of the oldest Kubernetes; undefined: any. */
  readonly oldest: number | undefined;
  /** Undefined: costs are not explained. */
  readonly costs: Pick<typeof import('../../work/lint/cost/explain-cost.js'), 'explainCosts'> | undefined;
  /** Undefined: nothing is rehearsed. */
  readonly rehearse: typeof import('../../work/lint/rehearsal/rehearse.js').rehearse | undefined;
}

/** Adds to `errors` what cannot be checked. Throws CliError when there is nothing to check and one reason for it. */
async function lintManifests(
  server: ApiServer,
  manifests: readonly LocatedManifest[],
  { levels, errors, convertedByPatches, now, costs, oldest, rehearse }: FindingsOptions,
): Promise<{ readonly findings: readonly PlacedFinding[]; readonly notes: readonly string[] }> {
  const linted = manifests.filter(({ object }) => [isConfiguration, isPolicyObject, isDefinition, isApiService].some(is => is(object)));
  const [only, second] = errors;
  if (linted.length === 0 && only !== undefined && second === undefined && manifests.length === 0) throw only;
  if (linted.length === 0 && only === undefined) throw noneToLint(manifests);
  if (linted.length === 0) errors.push(noneToLint(manifests));
  const subject = { ...lintSubjectOf(server, manifests, now), convertedByPatches };
  const found = await lint(lintRules, subject, levels);
  const rehearsed = (await rehearse?.(
    subject,
    manifests.map(({ object }) => object),
  )) ?? { found: [], notes: [] };
  const placed: PlacedFinding[] = [];
  for (const { object, locate } of linted) {
    const refusals = (await collectUnchecked(findCausesOfRefusal(server, object), locate(''), errors)).flatMap(one =>
      levelled(one, levels),
    );
    const own = [...found, ...rehearsed.found.flatMap(one => levelled(one, levels))].filter(({ place }) => place.object === object);
    const name = stringAt(object, 'metadata', 'name');
    const explained =
      costs === undefined || !isDefinition(object) ? [] : costs.explainCosts(server, { name, place: { object, pointer: '' } });
    const newer = oldest === undefined ? [] : newerExpressions(server, object, oldest);
    placed.push(
      ...[...refusals, ...[...explained, ...newer].flatMap(one => levelled(one, levels)), ...own].map(({ finding, place }) => ({
        ...finding,
        ...placeIn(locate(place.pointer)),
      })),
    );
  }
  return { findings: placed, notes: rehearsed.notes };
}

/** Collects the error for an object that cannot be checked, with the object's position. */
async function collectUnchecked(looking: Promise<FoundByRule[]>, location: Location, errors: CliError[]): Promise<FoundByRule[]> {
  try {
    return await looking;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { code, message, suggestions } = error;
    errors.push(error.location === undefined ? new CliError(code, message, { location, suggestions, cause: error }) : error);
    return [];
  }
}

function noneToLint(manifests: readonly LocatedManifest[]): CliError {
  const [first] = manifests;
  return new CliError('no-objects', 'no webhook configurations, admission policies, CustomResourceDefinitions or APIServices found', {
    ...(first === undefined ? {} : { location: first.location }),
    suggestions: [
      'pass a file with a MutatingWebhookConfiguration, a ValidatingWebhookConfiguration, an admission policy or a CustomResourceDefinition to -f',
    ],
  });
}

function placeIn({ file, line, column }: Location): Pick<PlacedFinding, 'file' | 'line' | 'column'> {
  return { file, line: line ?? 1, column: column ?? 1 };
}

function levelled({ finding, place }: FoundByRule, levels: ReadonlyMap<string, Severity | 'off'>): FoundByRule[] {
  const level = levels.get(finding.rule) ?? finding.severity;
  return level === 'off' ? [] : [{ finding: { ...finding, severity: level }, place }];
}

function printed(findings: readonly PlacedFinding[], { output, noColor }: LintFlags, surroundings: Surroundings): string {
  if (output === 'json') return lintJson(findings);
  if (output === 'sarif') return lintSarif(findings, [...ownRules, ...lintRules]);
  if (output === 'github') return lintGithub(findings);
  if (output === 'gitlab') return lintGitlab(findings);
  return lintText(findings, terminalPalette({ noColor }, surroundings));
}
