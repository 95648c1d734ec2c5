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
import { type CheckThread, isLarge } from '../check-thread.js';
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
  #folder: string | undefined;
  /** Is started for the first large file, and checks all files then, because it has the state of them. */
  #thread: CheckThread | undefined;
  #canStartThread = true;

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
      fail: (document, error) => this.#failCheck(document, error),
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
    this.#folder = folder === '' ? undefined : folder;
    this.#workspace = new Workspace(this.#surroundings, this.#folder);
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
    const text = file.document.getText();
    if (isLarge(text)) this.#startThread();
    this.#checkAfter(this.#thread?.open(uri, text), uri);
    // Reading a large file would block the next message: for completion, it counts as it is on disk.
    const isRead = path !== '' && (this.#thread === undefined || !isLarge(text));
    if (isRead && this.#workspace.setOpen(path, file.documents) && this.#thread === undefined) this.#checkOthers(uri);
    this.#checks.want(file);
  }

  #startThread(): void {
    if (this.#thread !== undefined || !this.#canStartThread) return;
    this.#thread = this.#surroundings.startCheckThread?.(this.#folder);
    this.#checks.use(this.#thread);
    for (const { document } of this.#files.values()) this.#checkAfter(this.#thread?.open(document.uri, document.getText()), document.uri);
  }

  /** Checks the other files again if the thread's state changes. */
  #checkAfter(changes: Promise<boolean> | undefined, uri: string): void {
    changes?.then(
      isChanged => isChanged && this.#checkOthers(uri),
      (error: unknown) => this.#failThread(error),
    );
  }

  /** The thread has ended, or has a bug: this one checks. */
  #failThread(error: unknown): void {
    if (this.#thread === undefined) return;
    this.#connection.console.error(`internal error, please report it: ${String(error)}`);
    this.end();
    this.#canStartThread = false;
    this.#checkOthers('');
  }

  #failCheck({ uri }: TextDocument, error: unknown): void {
    if (this.#thread === undefined) this.#connection.console.error(`internal error, please report it: ${uri}: ${String(error)}`);
    else this.#failThread(error);
  }

  /** Ends what works for the editor. */
  end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#checks.use(undefined);
    thread?.end();
  }

  #close(uri: string): void {
    this.#files.delete(uri);
    this.#checks.drop(uri);
    this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    this.#checkAfter(this.#thread?.close(uri), uri);
    if (this.#workspace.close(pathOfUri(uri)) && this.#thread === undefined) this.#checkOthers(uri);
  }

  #changedOnDisk(uris: readonly string[]): void {
    const paths = uris.map(pathOfUri).filter(path => path !== '');
    const changes = paths.map(path => this.#workspace.reread(path));
    this.#checkAfter(this.#thread?.reread(paths), '');
    if (changes.includes(true) && this.#thread === undefined) this.#checkOthers('');
  }

  #checkOthers(changed: string): void {
    for (const file of this.#files.values()) if (file.document.uri !== changed) this.#checks.want(file);
  }

  #publish(document: TextDocument, problems: readonly TextProblem[]): void {
    const diagnostics = problems.map(problem => diagnosticOf(problem, document, this.#positions));
    this.#connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  }
}
