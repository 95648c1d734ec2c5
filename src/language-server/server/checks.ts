import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Problem } from '../diagnostics/problem.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import type { Workspace } from '../workspace/workspace.js';
import { checkDocument } from './check-document.js';
import { pathOfUri } from './document-path.js';

/** Publishes the problems of a version of a document. */
type Publish = (document: TextDocument, problems: readonly Problem[]) => void;

interface CheckOutcome {
  readonly publish: Publish;
  /** Reports a bug of this program: the editor goes on. */
  readonly fail: (document: TextDocument, error: unknown) => void;
}

/** Longest piece of work between two looks at what the editor has sent, in milliseconds. */
const sliceMs = 8;

/** Checks open documents one after another, the newest version of each only. */
export class Checks {
  readonly #surroundings: EditorSurroundings;
  readonly #workspace: Workspace;
  readonly #outcome: CheckOutcome;
  readonly #wanted = new Map<string, TextDocument>();
  readonly #dropped = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(surroundings: EditorSurroundings, workspace: Workspace, outcome: CheckOutcome) {
    this.#surroundings = surroundings;
    this.#workspace = workspace;
    this.#outcome = outcome;
  }

  /** Checks this version of a document, instead of older ones that wait or are being checked. */
  want(document: TextDocument): void {
    // The document that was changed last is looked at.
    this.#wanted.delete(document.uri);
    this.#wanted.set(document.uri, document);
    this.#running ??= this.#run();
  }

  /** Forgets a document that was closed. */
  drop(uri: string): void {
    this.#wanted.delete(uri);
    this.#dropped.add(uri);
  }

  async #run(): Promise<void> {
    // Changes that have already arrived come first.
    await nextTurn();
    for (let next = [...this.#wanted.values()].at(-1); next !== undefined; next = [...this.#wanted.values()].at(-1)) {
      this.#wanted.delete(next.uri);
      this.#dropped.delete(next.uri);
      try {
        await this.#check(next);
      } catch (error) {
        this.#outcome.fail(next, error);
      }
    }
    this.#running = undefined;
  }

  async #check(document: TextDocument): Promise<void> {
    const { clockMs } = this.#surroundings;
    let since = clockMs();
    const isOutdated = (): boolean => this.#wanted.has(document.uri) || this.#dropped.has(document.uri);
    const isCancelled = async (): Promise<boolean> => {
      if (clockMs() - since > sliceMs) {
        await nextTurn();
        since = clockMs();
      }
      return isOutdated();
    };
    const file = { path: pathOfUri(document.uri), text: document.getText() };
    const problems = await checkDocument(file, { surroundings: this.#surroundings, workspace: this.#workspace, isCancelled });
    if (problems !== undefined && !isOutdated()) this.#outcome.publish(document, problems);
  }
}

/** Resolves after the messages that have arrived are handled. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
