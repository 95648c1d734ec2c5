import type { TextDocument } from 'vscode-languageserver-textdocument';
import { FileChecker } from '../diagnostics/file-checker.js';
import { EditedFile, type FileDocument } from '../text/file-documents.js';

/** A file that the editor has open. */
export class OpenFile {
  readonly checker = new FileChecker();
  readonly #edited = new EditedFile();
  #document: TextDocument;
  #documents: readonly FileDocument[] | undefined;

  constructor(document: TextDocument) {
    this.#document = document;
  }

  /** The newest version. */
  get document(): TextDocument {
    return this.#document;
  }

  /** Documents of the newest version, which are found when they are asked for. */
  get documents(): readonly FileDocument[] {
    this.#documents ??= this.#edited.update(this.#document.getText());
    return this.#documents;
  }

  /** Takes over a version. */
  update(document: TextDocument): void {
    this.#document = document;
    this.#documents = undefined;
  }
}
