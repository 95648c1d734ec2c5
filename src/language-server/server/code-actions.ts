import { type CodeAction, CodeActionKind, type CodeActionParams, type Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { injectFix } from '../fixes/inject-fix.js';
import { type Fix, lintFixes } from '../fixes/lint-fixes.js';
import { nearestField } from '../fixes/nearest-field.js';
import { type NodeAt, nodeStartingAt, nodesAround } from '../fixes/node-at.js';
import { documentAt, type FileDocument } from '../text/file-documents.js';
import type { TextNode } from '../text/text-node.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Positions } from './positions.js';

/** Finds the changes that an editor offers for its diagnostics and at its cursor. */
export class CodeActions {
  readonly #workspace: Workspace;
  readonly #positions: Positions;

  constructor(workspace: Workspace, positions: Positions) {
    this.#workspace = workspace;
    this.#positions = positions;
  }

  /** Returns the nearest name for an unknown field, the fixes of findings of lint, and the CA of the workspace for a webhook without one. */
  async find(document: TextDocument, { range, context: { diagnostics } }: CodeActionParams): Promise<CodeAction[]> {
    const named = await Promise.all(diagnostics.filter(isAboutUnknownField).map(diagnostic => this.#nearestName(document, diagnostic)));
    const found = diagnostics.flatMap(diagnostic => this.#fixesOf(document, diagnostic));
    return [...named.flat(), ...found, ...this.#injection(document, this.#positions.offsetAt(document, range.start))];
  }

  async #nearestName(document: TextDocument, diagnostic: Diagnostic): Promise<CodeAction[]> {
    const start = this.#positions.offsetAt(document, diagnostic.range.start);
    const field = nearestField(document.getText(), start, await this.#workspace.readState());
    if (field === undefined) return [];
    const quote = /^["']/.exec(document.getText().slice(start))?.[0] ?? '';
    const edit = { changes: { [document.uri]: [{ range: diagnostic.range, newText: quote + field + quote }] } };
    return [{ title: `Change to ${field}`, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], isPreferred: true, edit }];
  }

  #fixesOf(document: TextDocument, diagnostic: Diagnostic): CodeAction[] {
    const { code, message, source, range } = diagnostic;
    const at = this.#nodeAt(document, this.#positions.offsetAt(document, range.start));
    if (source !== 'webhook-cli' || typeof code !== 'string' || typeof message !== 'string' || at === undefined) return [];
    const { text, format } = at.own;
    return lintFixes(code, { ...at, text, format, message }).map(fix => ({
      ...this.#actionOf(document, at.own, fix),
      diagnostics: [diagnostic],
    }));
  }

  #injection(document: TextDocument, offset: number): CodeAction[] {
    const at = this.#nodeAt(document, offset);
    const bundle = at === undefined ? undefined : this.#workspace.caBundle();
    const fix = at === undefined || bundle === undefined ? undefined : injectFix(at, { ...at.own, bundle });
    return at === undefined || fix === undefined ? [] : [this.#actionOf(document, at.own, fix)];
  }

  #nodeAt(document: TextDocument, offset: number): (NodeAt & { readonly own: FileDocument; readonly root: TextNode }) | undefined {
    const own = documentAt(document.getText(), offset);
    const root = own.tree();
    if (root === undefined) return undefined;
    const at = nodeStartingAt(root, offset - own.start) ?? [...nodesAround(root, offset - own.start)].at(-1);
    return at === undefined ? undefined : { ...at, own, root };
  }

  #actionOf(document: TextDocument, { start }: FileDocument, { title, edits }: Fix): CodeAction {
    const changes = edits.map(({ newText, ...range }) => ({
      newText,
      range: this.#positions.rangeOf(document, { start: start + range.start, end: start + range.end }),
    }));
    return { title, kind: CodeActionKind.QuickFix, edit: { changes: { [document.uri]: changes } } };
  }
}

/** Not every editor returns the data of a diagnostic. */
function isAboutUnknownField({ message, source }: Diagnostic): boolean {
  return source === 'kube-apiserver' && typeof message === 'string' && message.includes('unknown field "');
}
