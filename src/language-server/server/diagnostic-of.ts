import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextProblem } from '../diagnostics/problem.js';
import type { Positions } from './positions.js';

const severities = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning, info: DiagnosticSeverity.Information } as const;

/** Returns a problem as the protocol has it. */
export function diagnosticOf(problem: TextProblem, document: TextDocument, positions: Positions): Diagnostic {
  const { severity, source, code, href, message } = problem;
  return {
    range: positions.rangeOf(document, problem),
    severity: severities[severity],
    source,
    message,
    ...(code === undefined || code === '' ? {} : { code }),
    ...(href === undefined ? {} : { codeDescription: { href } }),
  };
}
