import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ThreadChecks } from '../check-thread.js';
import type { TextProblem } from '../diagnostics/problem.js';
import type { EditorSurroundings } from '../editor-surroundings.js';
import { Slices, waitForTurn } from '../slices.js';
import type { Workspace } from '../workspace/workspace.js';
import { checkDocument } from './check-document.js';
import { pathOfUri } from './document-path.js';
import type { OpenFile } from './open-file.js';

/** Publishes the problems of a version of a document. */
type Publish = (document: TextDocument, problems: readonly TextProblem[]) => void;

interface CheckOutcome {
  readonly publish: Publish;
  /** Reports a bug of this program: the editor goes on. */
  readonly fail: (document: TextDocument, error: unknown) => void;
}

/** Checks open documents one after another, the newest version of each only. */
export class Checks {
  readonly #surroundings: EditorSurroundings;
  readonly #workspace: Workspace;
  readonly #outcome: CheckOutcome;
  readonly #wanted = new Map<string, OpenFile>();
  readonly #dropped = new Set<string>();
  #running: Promise<void> | undefined;
  #thread: ThreadChecks | undefined;

  constructor(surroundings: EditorSurroundings, workspace: Workspace, outcome: CheckOutcome) {
    this.#surroundings = surroundings;
    this.#workspace = workspace;
    this.#outcome = outcome;
  }

  /** Checks the newest version of a file, instead of older ones that wait or are being checked. */
  want(file: OpenFile): void {
    const { uri } = file.document;
    // The file that was changed last is looked at.
    this.#wanted.delete(uri);
    this.#wanted.set(uri, file);
    this.#running ??= this.#run();
  }

  /** Checks files in a thread from now on, which has them open; in this thread without one. */
  use(thread: ThreadChecks | undefined): void {
    this.#thread = thread;
  }

  /** Forgets a document that was closed. */
  drop(uri: string): void {
    this.#wanted.delete(uri);
    this.#dropped.add(uri);
  }

  async #run(): Promise<void> {
    // Changes that have already arrived come first.
    await waitForTurn();
    for (let next = [...this.#wanted.values()].at(-1); next !== undefined; next = [...this.#wanted.values()].at(-1)) {
      const { document } = next;
      this.#wanted.delete(document.uri);
      this.#dropped.delete(document.uri);
      try {
        await this.#check(next, document);
      } catch (error) {
        this.#outcome.fail(document, error);
      }
    }
    this.#running = undefined;
  }

  async #check(open: OpenFile, document: TextDocument): Promise<void> {
    const problems = this.#thread === undefined ? await this.#checkHere(open, document) : await this.#thread.check(document.uri);
    if (problems !== undefined && !this.#isOutdated(document)) this.#outcome.publish(document, problems);
  }

  #isOutdated({ uri }: TextDocument): boolean {
    return this.#wanted.has(uri) || this.#dropped.has(uri);
  }

  async #checkHere({ documents, checker }: OpenFile, document: TextDocument): Promise<readonly TextProblem[] | undefined> {
    const slices = new Slices(this.#surroundings.clockMs);
    const isCancelled = async (): Promise<boolean> => {
      await slices.pause();
      return this.#isOutdated(document);
    };
    const file = { path: pathOfUri(document.uri), text: document.getText(), documents, checker };
    return checkDocument(file, { surroundings: this.#surroundings, workspace: this.#workspace, isCancelled });
  }
}
