import {
  CodeActionKind,
  type Connection,
  type DidChangeTextDocumentParams,
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesParams,
  type InitializeParams,
  type InitializeResult,
  type TextDocumentItem,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextProblem } from '../diagnostics/problem.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import { Workspace } from '../workspace/workspace.js';
import { Answers } from './answers.js';
import { Checks } from './checks.js';
import { CodeActions } from './code-actions.js';
import { diagnosticOf } from './diagnostic-of.js';
import { pathOfUri } from './document-path.js';
import { OpenFile } from './open-file.js';
import { chosenEncoding, Positions } from './positions.js';

/** One editor: its open documents and what it asks. */
export class EditorSession {
  readonly #connection: Connection;
  readonly #surroundings: EditorSurroundings;
  readonly #files = new Map<string, OpenFile>();
  #positions = new Positions('utf-16');
  #workspace: Workspace;
  #checks: Checks;
  #answers: Answers;
  #actions: CodeActions;
  #canRegisterWatchers = false;

  constructor(connection: Connection, surroundings: EditorSurroundings) {
    this.#connection = connection;
    this.#surroundings = surroundings;
    this.#workspace = new Workspace(surroundings, undefined);
    this.#checks = this.#newChecks();
    this.#answers = this.#newAnswers();
    this.#actions = new CodeActions(this.#workspace, this.#positions);
  }

  /** Starts to handle messages. */
  listen(): void {
    const connection = this.#connection;
    connection.onInitialize(params => this.#initialize(params));
    connection.onInitialized(() => this.#watchFiles());
    connection.onDidOpenTextDocument(({ textDocument }) => this.#open(textDocument));
    connection.onDidChangeTextDocument(params => this.#change(params));
    connection.onDidCloseTextDocument(({ textDocument }) => this.#close(textDocument.uri));
    connection.onDidSaveTextDocument(({ textDocument }) => this.#changedOnDisk([textDocument.uri]));
    connection.onDidChangeWatchedFiles((params: DidChangeWatchedFilesParams) => this.#changedOnDisk(params.changes.map(({ uri }) => uri)));
    connection.onCompletion(({ textDocument, position }) =>
      this.#ask(textDocument.uri, ({ document }) => this.#answers.complete(document, position)),
    );
    connection.onHover(({ textDocument, position }) =>
      this.#ask(textDocument.uri, ({ document }) => this.#answers.hover(document, position)),
    );
    connection.onCodeAction(params => this.#ask(params.textDocument.uri, ({ document }) => this.#actions.find(document, params)));
    connection.onDocumentSymbol(({ textDocument }) => this.#ask(textDocument.uri, file => this.#answers.symbols(file)));
    connection.listen();
  }

  #newChecks(): Checks {
    return new Checks(this.#surroundings, this.#workspace, {
      publish: (document, problems) => this.#publish(document, problems),
      fail: ({ uri }, error) => this.#connection.console.error(`internal error, please report it: ${uri}: ${String(error)}`),
    });
  }

  #newAnswers(): Answers {
    return new Answers(this.#surroundings, this.#workspace, this.#positions);
  }

  /** Returns an answer about an open document; null for any other. */
  async #ask<T>(uri: string, answer: (file: OpenFile) => T | Promise<T>): Promise<T | null> {
    const file = this.#files.get(uri);
    return file === undefined ? null : answer(file);
  }

  #initialize({ workspaceFolders, rootUri, capabilities }: InitializeParams): InitializeResult {
    const folder = pathOfUri(workspaceFolders?.[0]?.uri ?? rootUri ?? '');
    this.#workspace = new Workspace(this.#surroundings, folder === '' ? undefined : folder);
    this.#checks = this.#newChecks();
    const positionEncoding = chosenEncoding(capabilities.general?.positionEncodings);
    this.#positions = new Positions(positionEncoding);
    this.#answers = this.#newAnswers();
    this.#actions = new CodeActions(this.#workspace, this.#positions);
    this.#canRegisterWatchers = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      capabilities: {
        positionEncoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: ['.', ':', ' ', '-', '"', '{'] },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        documentSymbolProvider: true,
      },
      serverInfo: { name: 'webhook-cli', version: this.#surroundings.toolVersion },
    };
  }

  async #watchFiles(): Promise<void> {
    const { warnings } = await this.#workspace.readSettings();
    for (const warning of warnings) this.#connection.console.warn(warning);
    if (!this.#canRegisterWatchers) return;
    await this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [{ globPattern: '**/*.{yaml,yml,json}' }],
    });
  }

  #open({ uri, languageId, version, text }: TextDocumentItem): void {
    const file = new OpenFile(TextDocument.create(uri, languageId, version, text));
    this.#files.set(uri, file);
    this.#hasChanged(file);
  }

  #change({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void {
    const file = this.#files.get(uri);
    if (file === undefined) return;
    file.update(this.#positions.update(file.document, contentChanges, version));
    this.#hasChanged(file);
  }

  #hasChanged(file: OpenFile): void {
    const { uri } = file.document;
    const path = pathOfUri(uri);
    if (path !== '' && this.#workspace.setOpen(path, file.documents)) this.#checkOthers(uri);
    this.#checks.want(file);
  }

  #close(uri: string): void {
    this.#files.delete(uri);
    this.#checks.drop(uri);
    this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    if (this.#workspace.close(pathOfUri(uri))) this.#checkOthers(uri);
  }

  #changedOnDisk(uris: readonly string[]): void {
    const paths = uris.map(pathOfUri).filter(path => path !== '');
    const changes = paths.map(path => this.#workspace.reread(path));
    if (changes.includes(true)) this.#checkOthers('');
  }

  #checkOthers(changed: string): void {
    for (const file of this.#files.values()) if (file.document.uri !== changed) this.#checks.want(file);
  }

  #publish(document: TextDocument, problems: readonly TextProblem[]): void {
    const diagnostics = problems.map(problem => diagnosticOf(problem, document, this.#positions));
    this.#connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  }
}
