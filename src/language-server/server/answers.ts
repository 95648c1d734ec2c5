import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type DocumentSymbol,
  type Hover,
  MarkupKind,
  type Position,
  SymbolKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { objectAround, placeAround } from '../completion/object-around.js';
import { ownSuggestions } from '../completion/own-suggestions.js';
import { suggestInManifests } from '../completion/suggest-in-manifests.js';
import type { Suggestion, Suggestions } from '../completion/suggestion.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import { expressionSite } from '../expressions/expression-site.js';
import { expressionHover } from '../hover/expression-hover.js';
import { fieldHover, type HoverText } from '../hover/field-hover.js';
import { textAt } from '../text/text-node.js';
import type { Workspace } from '../workspace/workspace.js';
import { pathOfUri } from './document-path.js';
import type { OpenFile } from './open-file.js';
import type { Positions } from './positions.js';

/** Answers an editor's questions about a document. */
export class Answers {
  readonly #surroundings: EditorSurroundings;
  readonly #workspace: Workspace;
  readonly #positions: Positions;

  constructor(surroundings: EditorSurroundings, workspace: Workspace, positions: Positions) {
    this.#surroundings = surroundings;
    this.#workspace = workspace;
    this.#positions = positions;
  }

  async complete(document: TextDocument, position: Position): Promise<CompletionList | null> {
    const state = await this.#workspace.readState();
    const text = document.getText();
    const offset = this.#positions.offsetAt(document, position);
    const own = await this.#surroundings.findOwnFileType(pathOfUri(document.uri));
    if (own !== undefined) return this.#listOf(document, ownSuggestions(text, offset, own));
    return this.#listOf(document, await suggestInManifests(text, offset, { state, effects: this.#surroundings }));
  }

  #listOf(document: TextDocument, suggestions: Suggestions | undefined): CompletionList | null {
    if (suggestions === undefined) return null;
    const range = this.#positions.rangeOf(document, suggestions);
    return { isIncomplete: false, items: suggestions.items.map(item => itemOf(item, range)) };
  }

  async hover(document: TextDocument, position: Position): Promise<Hover | null> {
    const state = await this.#workspace.readState();
    const text = document.getText();
    const offset = this.#positions.offsetAt(document, position);
    const own = await this.#surroundings.findOwnFileType(pathOfUri(document.uri));
    const site = own === undefined ? expressionSite(text, offset) : undefined;
    const around =
      own === undefined ? (site === undefined ? objectAround(text, offset, state) : undefined) : placeAround(text, offset, own);
    const name =
      around === undefined ? '' : text.slice(around.document.start + around.place.start, around.document.start + around.place.end);
    const found = site === undefined ? around && fieldHover(around, name.replace(/^["']|["']$/g, '')) : expressionHover(site, state);
    return found === undefined
      ? null
      : { range: this.#positions.rangeOf(document, found), contents: { kind: MarkupKind.Markdown, value: markdownOf(found) } };
  }

  /** Documents of a file by kind and name. */
  symbols({ document, documents }: OpenFile): DocumentSymbol[] {
    return documents.flatMap(({ tree, start }): DocumentSymbol[] => {
      const root = tree();
      const kind = textAt(root, 'kind');
      if (root === undefined || kind === '') return [];
      const name = textAt(root, 'metadata', 'name') || textAt(root, 'metadata', 'generateName');
      const range = this.#positions.rangeOf(document, { start: start + root.start, end: start + root.end });
      return [
        {
          name: name === '' ? kind : `${kind} ${name}`,
          kind: SymbolKind.Object,
          range,
          selectionRange: { start: range.start, end: range.start },
        },
      ];
    });
  }
}

const itemKinds = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
} as const;

function itemOf({ label, kind, detail, documentation, text, rank }: Suggestion, range: { start: Position; end: Position }): CompletionItem {
  return {
    label,
    kind: itemKinds[kind],
    detail,
    ...(documentation === undefined ? {} : { documentation }),
    sortText: `${String(rank).padStart(3, '0')}${label}`,
    filterText: label,
    textEdit: { range, newText: text },
  };
}

/** Text of a definition is data: it is shown as it is, not as Markdown. */
function markdownOf({ code, text }: HoverText): string {
  const shown = text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
  return `${'```'}\n${code.replaceAll('```', "'''")}\n${'```'}${shown === '' ? '' : `\n\n${shown}`}`;
}
