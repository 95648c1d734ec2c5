import type { Manifest } from '../client/manifests/manifests.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { LintSubject } from '../lint/rule.js';
import type { CheckThread } from './check-thread.js';
import type { AdmissionEffects } from './diagnostics/admission.js';
import type { TextProblem } from './diagnostics/problem.js';
import type { StructType } from './types/field-type.js';

/** A file of the workspace. */
export interface WorkspaceFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** What the user's flags, or the workspace's configuration, say about the cluster. */
export interface WorkspaceSettings {
  /** State without the objects of the workspace's own files. */
  readonly state: ClusterState;
  /** No state is named: definitions, policies and namespaces of the workspace count. */
  readonly discovers: boolean;
  /** Problems of the settings, for the editor's log. */
  readonly warnings: readonly string[];
}

/** What checks get from the program: they read no files themselves, and start and call nothing. */
export interface CheckSurroundings extends AdmissionEffects {
  /** Milliseconds of a clock that only goes forward. */
  readonly clockMs: () => number;
  /** Reads the settings for a workspace folder; undefined without one. Does not throw. */
  readonly readSettings: (folder: string | undefined) => Promise<WorkspaceSettings>;
  /** Returns the manifests below a folder, without following links. */
  readonly workspaceFiles: (folder: string) => AsyncIterable<WorkspaceFile>;
  /** Returns the contents of a regular file in a folder; undefined for anything else, and for links that lead out of it. */
  readonly readFile: (path: string, folder: string) => string | undefined;
  /** Returns the certificates of `certs/ca.crt` in a folder as base64 of PEM; undefined without that file, and for a link that leads out of the folder. */
  readonly readCaBundle: (folder: string) => string | undefined;
  /** Returns the input of the lint rules. */
  readonly lintSubject: (server: ApiServer, manifests: readonly Manifest[]) => LintSubject;
  /** Returns the address of the page about a rule of lint; undefined if this program does not know it. */
  readonly rulePage: (rule: string) => string | undefined;
  /** Returns the problems of a suite or of `webhook-cli.yaml`; undefined for other files. */
  readonly checkOwnFile: (path: string, text: string) => Promise<readonly TextProblem[] | undefined>;
}

/** What the language server gets from the program. */
export interface EditorSurroundings extends CheckSurroundings {
  readonly toolVersion: string;
  /** Bytes from the editor. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => void;
  /** Returns whether a process runs: the server ends with its editor. */
  readonly isRunning: (processId: number) => boolean;
  /** Returns the type of a suite or of `webhook-cli.yaml`, for completion; undefined for other files. */
  readonly findOwnFileType: (path: string) => Promise<StructType | undefined>;
  /** Starts a thread that checks the files of a workspace folder; without one, large files are checked in this thread. */
  readonly startCheckThread?: ((folder: string | undefined) => CheckThread) | undefined;
}
