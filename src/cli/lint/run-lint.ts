import { webhooksOf } from '../../apiserver/webhooks/webhook.js';
import { storageOf } from '../../kubernetes/storage.js';
import { stringAt } from '../../kubernetes/value.js';
import { type Finding, lint, type Severity } from '../../lint/rule.js';
import { lintRules } from '../../lint/rules.js';
import { lintGithub, lintJson, lintSarif, lintText, type PlacedFinding } from '../../reports/lint-report.js';
import { colourLevel, paletteOf } from '../../reports/palette.js';
import { printCases } from '../cases/print-cases.js';
import { CliError } from '../cli-error.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type Manifest, readManifests } from '../input/manifests.js';
import { nearest } from '../nearest.js';
import type { Surroundings } from '../surroundings.js';
import { isConfiguration } from '../webhooks/configurations.js';
import { refusalsOf } from './refusals.js';

export interface LintFlags {
  readonly filename?: string[] | undefined;
  readonly recursive?: boolean | undefined;
  readonly case?: string | undefined;
  readonly 'fail-on'?: string | undefined;
  readonly rule?: string[] | undefined;
  readonly output?: string | undefined;
  readonly 'no-color'?: boolean | undefined;
}

/** Prints what the API server refuses in webhook configurations, and what hurts in production. */
export async function runLint(flags: LintFlags, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.case !== undefined) return printCases('lint', flags.case, surroundings);
  if (flags.filename === undefined)
    throw new CliError('usage', 'nothing says what to look at', { suggestions: ['pass a manifest with -f'] });
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

const ownRules = ['api-refuses', 'api-warns'];

/** `--rule ID=LEVEL`, the last one counts. */
function levelsOf(words: readonly string[]): Map<string, Severity | 'off'> {
  const known = [...ownRules, ...lintRules.map(rule => rule.id)];
  return new Map(
    words.map(word => {
      const [id = '', level = ''] = word.split('=', 2);
      if (!known.includes(id)) {
        const meant = nearest(id, known);
        const suggestions = [meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`];
        throw new CliError('usage', `there is no rule ${JSON.stringify(id)}`, { suggestions });
      }
      if (level !== 'off' && !isSeverity(level))
        throw new CliError('usage', `--rule ${id} is ${JSON.stringify(level)}, and must be off, info, warning or error`);
      return [id, level] as const;
    }),
  );
}

async function findingsIn(manifests: readonly Manifest[], levels: ReadonlyMap<string, Severity | 'off'>): Promise<PlacedFinding[]> {
  const objects = manifests.map(({ object }) => object);
  const storage = storageOf({ objects, presumesNamespaces: false, flags: [] });
  const subject = { webhooks: [...webhooksOf(storage, 'mutating'), ...webhooksOf(storage, 'validating')], storage };
  const found = lint(lintRules, subject, levels);
  const placed: PlacedFinding[] = [];
  for (const { object, location } of manifests.filter(manifest => isConfiguration(manifest.object))) {
    const name = stringAt(object, 'metadata', 'name');
    const phase = stringAt(object, 'kind') === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating';
    const refusals = (await refusalsOf(object)).flatMap(finding => levelled(finding, levels));
    const own = found.filter(
      f => f.configuration === name && subject.webhooks.some(w => w.phase === phase && w.configuration === name && w.name === f.webhook),
    );
    placed.push(...[...refusals, ...own].map(finding => ({ ...finding, file: location.file, line: location.line ?? 1 })));
  }
  return placed;
}

function levelled(finding: Finding, levels: ReadonlyMap<string, Severity | 'off'>): Finding[] {
  const level = levels.get(finding.rule) ?? finding.severity;
  return level === 'off' ? [] : [{ ...finding, severity: level }];
}

function printed(findings: readonly PlacedFinding[], { output, 'no-color': refused }: LintFlags, { env, stdout }: Surroundings): string {
  if (output === 'json') return lintJson(findings);
  if (output === 'sarif') return lintSarif(findings, lintRules);
  if (output === 'github') return lintGithub(findings);
  return lintText(findings, paletteOf(colourLevel(env, { isTerminal: stdout.isTerminal, refused: refused ?? false })));
}
