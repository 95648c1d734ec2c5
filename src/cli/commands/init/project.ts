import type { Value } from '../../../go/value.js';

/** Variables that suites replace in commands and environments. */
export const portWord = `\${PORT}`;
export const secondPortWord = `\${PORT2}`;
export const certificatesWord = `\${CERTS}`;

/** A file to write. */
export interface NewFile {
  /** Relative to the project's folder. */
  readonly name: string;
  readonly text: string;
  /** What its text means, if this program wrote it as YAML. */
  readonly value?: Value;
}

/** How the webhook of a project is started by hand. */
export interface Start {
  /** A shell command line that may contain suite variables such as `PORT`. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The suite variable, or the port that the program always uses. */
  readonly port: string;
  /** Pattern of the line that the program writes after it has registered its webhooks in its API server. */
  readonly registersWith?: string;
  /** Resources of its handlers, by plural, singular, kind or short name, if it registers its webhooks. */
  readonly handles?: readonly string[];
  /** File of the CA, if the program uses certificates of the project, or always the same ones. */
  readonly authority?: string;
  /** Folder outside of the project in which the program always reads `tls.crt` and `tls.key`. */
  readonly certificateFolder?: string;
  /** Files that the command needs. */
  readonly files?: readonly NewFile[];
}

export type Language = 'go' | 'rust' | 'java' | 'python' | 'node';

export interface Project {
  /** `a kubebuilder project` */
  readonly name: string;
  /** Files that identify it. */
  readonly evidence: readonly string[];
  readonly language: Language | undefined;
  /** Folder of its code, relative to the project's folder, if it is another one. */
  readonly folder?: string;
  /** Undefined if the files do not show it. */
  readonly start: Start | undefined;
  /** Command that seems to start it, if it is unknown how it gets its certificate. */
  readonly hint?: string;
  /** Its program asks an API server. */
  readonly isClient?: boolean;
  /** Port that the program seems to use, for a start by hand. */
  readonly port: string | undefined;
  /** Port of the program without a flag that sets another one. */
  readonly usualPort?: string;
  /** Paths of certificates in the source, if that is where it reads them. */
  readonly fixedFiles?: readonly string[];
}

/** Folder of the suite. */
export const suiteFolder = 'webhook-tests';

/** Points Kubernetes clients to the API server of the suite. */
export function withKubeconfig(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, KUBECONFIG: `\${KUBECONFIG}` };
}
