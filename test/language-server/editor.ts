import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Diagnostic } from 'vscode-languageserver';
import { createProtocolConnection, type ProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import type { ValueMap } from '../../src/go/value.js';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { defaultServerOptions } from '../../src/kubernetes/server-options.js';
import { FileChecker } from '../../src/language-server/diagnostics/file-checker.js';
import type { EditorSurroundings } from '../../src/language-server/editor-surroundings.js';
import type { FileVersion } from '../../src/language-server/server/check-document.js';
import { serveEditor } from '../../src/language-server/server/serve-editor.js';
import { documentsOf } from '../../src/language-server/text/file-documents.js';

/** An editor that talks to a language server in this process. */
export interface Editor {
  readonly connection: ProtocolConnection;
  /** Opens a document, or changes all of it. Returns the diagnostics of that version. */
  readonly show: (uri: string, text: string) => Promise<readonly Diagnostic[]>;
  /** Closes a document: it is not checked again when another one changes. */
  readonly hide: (uri: string) => Promise<void>;
  /** Returns the diagnostics of the newest version that has any, once they come. */
  readonly diagnosticsOf: (uri: string, version: number) => Promise<readonly Diagnostic[]>;
  readonly versionOf: (uri: string) => number;
  /** Shuts the server down; whether that was in order. */
  readonly close: () => Promise<boolean>;
}

export interface EditorOptions {
  readonly minor?: KubernetesMinor;
  readonly objects?: readonly ValueMap[];
  readonly capabilities?: object;
  readonly folder?: string;
  readonly surroundings?: Partial<EditorSurroundings>;
}

/** Returns a file that was not checked before. */
export function newFile(text: string, path = ''): FileVersion {
  return { path, text, documents: documentsOf(text), checker: new FileChecker() };
}

/** Returns surroundings without files and with a state. */
export function editorSurroundings({
  minor = 'v1.36',
  objects,
  surroundings = {},
}: EditorOptions): Omit<EditorSurroundings, 'input' | 'write'> {
  const metadata = { uid: randomUUID, now: () => new Date() };
  const given = { server: apiServers({ minor }), options: defaultServerOptions, presumesNamespaces: objects === undefined };
  const state = stateOf(objects ?? [], given, metadata);
  return {
    ...metadata,
    toolVersion: '0.0.0',
    clockMs: () => performance.now(),
    isRunning: () => true,
    effects: callWebhook => effectsFor(callWebhook),
    readSettings: async () => ({ state, discovers: objects === undefined, warnings: [] }),
    workspaceFiles: async function* () {},
    readFile: () => undefined,
    readCaBundle: () => undefined,
    lintSubject: (server, manifests) => lintSubjectOf(server, manifests, metadata.now()),
    rulePage: rule => `https://example.com/${rule}`,
    checkOwnFile: async () => undefined,
    findOwnFileType: async () => undefined,
    ...surroundings,
  };
}

/** Starts a server and initializes it. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const served = serveEditor({ ...editorSurroundings(options), input: toServer, write: text => void fromServer.write(text) });
  const connection = createProtocolConnection(new StreamMessageReader(fromServer), new StreamMessageWriter(toServer));
  const published = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>();
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, version = 0, diagnostics }) => {
    const before = published.get(uri)?.version ?? 0;
    if (version !== 0 && version < before) throw new Error(`diagnostics of version ${version} after those of ${before}`);
    published.set(uri, { version, diagnostics });
    for (const look of waiting) look();
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const rootUri = options.folder === undefined ? null : `file://${options.folder}`;
  await connection.sendRequest('initialize', { processId: null, rootUri, capabilities: options.capabilities ?? {} });
  await connection.sendNotification('initialized', {});
  const versions = new Map<string, number>();
  const diagnosticsOf: Editor['diagnosticsOf'] = (uri, version) =>
    new Promise(resolve => {
      const look = (): void => {
        const found = published.get(uri);
        if (found?.version !== version) return;
        waiting.delete(look);
        resolve(found.diagnostics);
      };
      waiting.add(look);
      look();
    });
  return {
    connection,
    diagnosticsOf,
    versionOf: uri => versions.get(uri) ?? 0,
    show: async (uri, text) => {
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      if (version === 1)
        await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version, text } });
      else await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
      return diagnosticsOf(uri, version);
    },
    hide: async uri => {
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      versions.delete(uri);
      published.delete(uri);
    },
    close: async () => {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      const isInOrder = await served;
      connection.dispose();
      return isInOrder;
    },
  };
}
