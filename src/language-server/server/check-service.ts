import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ThreadChecks } from '../check-thread.js';
import type { TextProblem } from '../diagnostics/problem.js';
import type { CheckSurroundings } from '../editor-surroundings.js';
import { Slices } from '../slices.js';
import { Workspace } from '../workspace/workspace.js';
import { checkDocument } from './check-document.js';
import { pathOfUri } from './document-path.js';
import { OpenFile } from './open-file.js';

/** Returns the checks of a thread, for a workspace folder. It knows the files that are sent to it. */
export function checkService(surroundings: CheckSurroundings, folder: string | undefined): ThreadChecks {
  const workspace = new Workspace(surroundings, folder);
  const files = new Map<string, OpenFile>();
  return {
    open: async (uri, text) => {
      const known = files.get(uri);
      const document = TextDocument.create(uri, 'yaml', (known?.document.version ?? 0) + 1, text);
      const file = known ?? new OpenFile(document);
      file.update(document);
      files.set(uri, file);
      const path = pathOfUri(uri);
      return path !== '' && workspace.setOpen(path, file.documents);
    },
    close: async uri => {
      files.delete(uri);
      return workspace.close(pathOfUri(uri));
    },
    reread: async paths => paths.map(path => workspace.reread(path)).includes(true),
    check: async (uri): Promise<readonly TextProblem[] | undefined> => {
      const file = files.get(uri);
      if (file === undefined) return undefined;
      const { document, documents, checker } = file;
      const slices = new Slices(surroundings.clockMs);
      const isCancelled = async (): Promise<boolean> => {
        await slices.pause();
        return files.get(uri)?.document !== document;
      };
      const version = { path: pathOfUri(uri), text: document.getText(), documents, checker };
      return checkDocument(version, { surroundings, workspace, isCancelled });
    },
  };
}
