import { webhooksOf } from '../../apiserver/webhooks/webhook.js';
import { CliError, invalidFlag, type Location } from '../../client/cli-error.js';
import type { LocatedManifest } from '../../client/manifests/manifests.js';
import { nearest } from '../../client/nearest.js';
import { stringAt } from '../../go/value.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import { storageOf } from '../../kubernetes/storage.js';

import { lintedBindings, lintedPolicies } from '../../lint/policies.js';
import { type Found, type LintSubject, lint, type Severity } from '../../lint/rule.js';
import { lintRules } from '../../lint/rules.js';
import { lintGithub, lintJson, lintSarif, lintText, type PlacedFinding } from '../../reports/lint-report.js';
import { colourLevel, paletteOf } from '../../reports/palette.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { readManifests } from '../input/read-manifests.js';
import { printCases } from '../print-cases.js';
import type { Surroundings } from '../surroundings.js';
import { isConfiguration, isPolicyObject } from '../webhooks/configurations.js';
import { refusalsOf } from './refusals.js';

export interface LintFlags {
  readonly filename?: readonly string[] | undefined;
  readonly recursive?: boolean | undefined;
  readonly case?: string | undefined;
  readonly 'fail-on'?: string | undefined;
  readonly rule?: readonly string[] | undefined;
  readonly output?: string | undefined;
  readonly 'no-color'?: boolean | undefined;
}

/** Prints what the API server refuses in webhook configurations and definitions, and known risks. */
export async function runLint(flags: LintFlags, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.case !== undefined) return printCases('lint', flags.case, surroundings);
  if (flags.filename === undefined) throw new CliError('usage', 'no manifests specified', { suggestions: ['pass a manifest with -f'] });
  const levels = levelsOf(flags.rule ?? []);
  const selection = { flag: '-f', paths: flags.filename, recursive: flags.recursive ?? false };
  const { manifests, warnings } = await readManifests(selection, surroundings);
  for (const warning of warnings) surroundings.stderr.write(`warning: ${warning}\n`);
  const findings = await findingsIn(manifests, levels);
  surroundings.stdout.write(printed(findings, flags, surroundings));
  const bar = ranks.indexOf(isSeverity(flags['fail-on']) ? flags['fail-on'] : 'error');
  return findings.some(({ severity }) => ranks.indexOf(severity) >= bar) ? exitCodes.refused : exitCodes.allowed;
}

const ranks: readonly Severity[] = ['info', 'warning', 'error'];

function isSeverity(word: string | undefined): word is Severity {
  return word === 'info' || word === 'warning' || word === 'error';
}

/** Rules for findings of the API server itself. */
const ownRules = [
  { id: 'api-refuses', reason: 'the API server refuses it', fix: 'do as its message says' },
  { id: 'api-warns', reason: 'the API server warns about it', fix: 'do as its message says' },
];

/** Parses `--rule ID=LEVEL`; the last one applies. */
function levelsOf(words: readonly string[]): Map<string, Severity | 'off'> {
  const known = [...ownRules, ...lintRules].map(rule => rule.id);
  return new Map(
    words.map(word => {
      const [id = '', level = ''] = word.split('=', 2);
      if (!known.includes(id)) {
        const meant = nearest(id, known);
        const suggestions = [meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`];
        throw new CliError('usage', `unknown rule ${JSON.stringify(id)}`, { suggestions });
      }
      if (level !== 'off' && !isSeverity(level)) throw invalidFlag('rule', word, 'ID=off|info|warning|error');
      return [id, level] as const;
    }),
  );
}

async function findingsIn(manifests: readonly LocatedManifest[], levels: ReadonlyMap<string, Severity | 'off'>): Promise<PlacedFinding[]> {
  const linted = manifests.filter(({ object }) => isConfiguration(object) || isPolicyObject(object) || isDefinition(object));
  if (linted.length === 0) throw noneToLint(manifests);
  const found = await lint(lintRules, subjectOf(manifests), levels);
  const placed: PlacedFinding[] = [];
  for (const { object, locate } of linted) {
    const refusals = (await orPlaced(refusalsOf(object), locate(''))).flatMap(one => levelled(one, levels));
    const own = found.filter(({ place }) => place.object === object);
    placed.push(...[...refusals, ...own].map(({ finding, place }) => ({ ...finding, ...placeIn(locate(place.pointer)) })));
  }
  return placed;
}

/** Adds the object's position to errors without one. */
async function orPlaced<T>(looking: Promise<T>, location: Location): Promise<T> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CliError && error.location === undefined)
      throw new CliError(error.code, error.message, { location, suggestions: error.suggestions, cause: error });
    throw error;
  }
}

function subjectOf(manifests: readonly LocatedManifest[]): LintSubject {
  const objects = manifests.map(({ object }) => object);
  const webhooks = objects.filter(isConfiguration).flatMap(object => {
    const phase = stringAt(object, 'kind') === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating';
    const own = webhooksOf(storageOf({ objects: [object], presumesNamespaces: false, flags: [] }), phase);
    return own.map((webhook, i) => ({ ...webhook, place: { object, pointer: `/webhooks/${i}` } }));
  });
  const definitions = objects
    .filter(isDefinition)
    .map(object => ({ name: stringAt(object, 'metadata', 'name'), place: { object, pointer: '' } }));
  const storage = storageOf({ objects, presumesNamespaces: false, flags: [] });
  return { webhooks, definitions, policies: lintedPolicies(storage), bindings: lintedBindings(storage), storage };
}

function noneToLint(manifests: readonly LocatedManifest[]): CliError {
  const [first] = manifests;
  return new CliError('no-objects', 'no webhook configurations, admission policies or CustomResourceDefinitions found', {
    ...(first === undefined ? {} : { location: first.location }),
    suggestions: [
      'pass a file with a MutatingWebhookConfiguration, a ValidatingWebhookConfiguration, an admission policy or a CustomResourceDefinition to -f',
    ],
  });
}

function placeIn({ file, line, column }: Location): Pick<PlacedFinding, 'file' | 'line' | 'column'> {
  return { file, line: line ?? 1, column: column ?? 1 };
}

function levelled({ finding, place }: Found, levels: ReadonlyMap<string, Severity | 'off'>): Found[] {
  const level = levels.get(finding.rule) ?? finding.severity;
  return level === 'off' ? [] : [{ finding: { ...finding, severity: level }, place }];
}

function printed(findings: readonly PlacedFinding[], { output, 'no-color': refused }: LintFlags, { env, stdout }: Surroundings): string {
  if (output === 'json') return lintJson(findings);
  if (output === 'sarif') return lintSarif(findings, [...ownRules, ...lintRules]);
  if (output === 'github') return lintGithub(findings);
  return lintText(findings, paletteOf(colourLevel(env, { isTerminal: stdout.isTerminal, refused: refused ?? false })));
}
