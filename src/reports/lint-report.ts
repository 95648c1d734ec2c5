import { createHash } from 'node:crypto';
import { counted } from '../kubernetes/counted.js';
import type { LintFinding, LintRule } from '../lint/rule.js';
import type { Severity } from '../lint/severity.js';
import { printable, withoutCommands } from '../writers/printable.js';
import { workflowCommand } from '../writers/workflow-command.js';
import type { Palette } from './palette.js';
import { wrappedLines } from './wrapped.js';

/** A finding with the position of its field. */
export interface PlacedFinding extends LintFinding {
  readonly file: string;
  /** From 1, like the column. */
  readonly line: number;
  readonly column: number;
}

/** Text report: a line with the position, then the reason and the fix. */
export function lintText(findings: readonly PlacedFinding[], palette: Palette): string {
  const colors = { error: palette.bad, warning: palette.warning, info: palette.quiet } satisfies Record<Severity, unknown>;
  const blocks = findings.map(finding => {
    const { file, line, column, severity, message, rule, reason, fix } = finding;
    const details = [reason, fix === '' ? '' : `fix: ${fix}`]
      .filter(text => text !== '')
      .flatMap(text => wrappedLines(`    ${printable(text)}`, palette.columns));
    return `${printable(file)}:${line}:${column}: ${colors[severity](severity)}: ${printable(`${subjectOf(finding)}: ${message}`)} [${rule}]${details.map(line => `\n${line}`).join('')}`;
  });
  return [...blocks, summaryOf(findings)].map(block => `${block}\n`).join('');
}

/** JSON report: a list of findings. */
export function lintJson(findings: readonly PlacedFinding[]): string {
  return `${withoutCommands(JSON.stringify({ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'LintReport', findings }, undefined, 2))}\n`;
}

/** SARIF 2.1.0, for code scanning. */
export function lintSarif(findings: readonly PlacedFinding[], rules: readonly Pick<LintRule, 'id' | 'reason' | 'fix'>[]): string {
  const levels = { error: 'error', warning: 'warning', info: 'note' } satisfies Record<Severity, string>;
  const driver = {
    name: 'webhook-cli',
    rules: rules.map(({ id, reason, fix }) => ({ id, shortDescription: { text: reason }, help: { text: fix } })),
  };
  const results = findings.map(finding => ({
    ruleId: finding.rule,
    level: levels[finding.severity],
    message: { text: `${subjectOf(finding)}: ${finding.message}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: finding.file }, region: { startLine: finding.line, startColumn: finding.column } } },
    ],
  }));
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [{ tool: { driver }, results }] };
  return `${withoutCommands(JSON.stringify(log, undefined, 2))}\n`;
}

/**
 * GitLab's Code Quality report. Fingerprints do not depend on lines: a finding that has moved is none that is new. Source: GitLab's documentation of the
 * report's format.
 */
export function lintGitlab(findings: readonly PlacedFinding[]): string {
  const severities = { error: 'major', warning: 'minor', info: 'info' } satisfies Record<Severity, string>;
  const equal = new Map<string, number>();
  const issues = findings.map(finding => {
    const { file, line, severity, rule, message } = finding;
    const content = JSON.stringify([file, rule, subjectOf(finding), message]);
    const earlier = equal.get(content) ?? 0;
    equal.set(content, earlier + 1);
    return {
      description: `${subjectOf(finding)}: ${message}`,
      check_name: rule,
      fingerprint: createHash('sha256').update(`${earlier} ${content}`).digest('hex'),
      severity: severities[severity],
      location: { path: file, lines: { begin: line } },
    };
  });
  return `${withoutCommands(JSON.stringify(issues, undefined, 2))}\n`;
}

/** Workflow commands that GitHub shows next to the lines. */
export function lintGithub(findings: readonly PlacedFinding[]): string {
  const levels = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<Severity, string>;
  return findings
    .map(finding => {
      const { severity, file, line, column, rule, message } = finding;
      return workflowCommand(levels[severity], { file, line, col: column, title: rule }, `${subjectOf(finding)}: ${message}`);
    })
    .join('');
}

function subjectOf({ configuration, webhook }: PlacedFinding): string {
  return webhook === '' ? configuration : `${configuration}/${webhook}`;
}

function summaryOf(findings: readonly PlacedFinding[]): string {
  if (findings.length === 0) return 'nothing found';
  const count = (severity: Severity): string => counted(findings.filter(finding => finding.severity === severity).length, severity);
  return `${count('error')}, ${count('warning')}, ${count('info')}`;
}
