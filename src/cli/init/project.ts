/** Variables that suites replace in commands and environments. */
export const portWord = `\${PORT}`;
export const secondPortWord = `\${PORT2}`;
export const certificatesWord = `\${CERTS}`;

/** How the webhook of a project is started by hand. */
export interface Start {
  /** A shell command line that may contain suite variables such as `PORT`. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The suite variable, or the port that the program always uses. */
  readonly port: string;
  /** Pattern of the line that the program writes after it has registered its webhooks in its API server. */
  readonly registersWith?: string;
}

export type Language = 'go' | 'rust' | 'java' | 'python' | 'node';

export interface Project {
  /** `a kubebuilder project` */
  readonly name: string;
  /** Files that identify it. */
  readonly evidence: readonly string[];
  readonly language: Language | undefined;
  /** Undefined if the files do not show it. */
  readonly start: Start | undefined;
  /** Port that the program seems to use, for a start by hand. */
  readonly port: string | undefined;
}

/** Points Kubernetes clients to the API server of the suite. */
export function withKubeconfig(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, KUBECONFIG: `\${KUBECONFIG}` };
}
