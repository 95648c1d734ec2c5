import type { TokenUser } from './access/token-users.js';

/** Contents of a kubeconfig: server address, CA, users. */
export interface KubeconfigOptions {
  readonly url: string;
  readonly ca: string;
  /** The first one has the current context, `webhook-cli`. */
  readonly users: readonly TokenUser[];
}

/** Returns a kubeconfig with a context for every user. */
export function writeKubeconfig({ url, ca, users }: KubeconfigOptions): string {
  const contexts = users.map((user, i) => ({ name: i === 0 ? 'webhook-cli' : user.username, user: user.username }));
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'current-context: webhook-cli',
    'preferences: {}',
    'clusters:',
    '- name: webhook-cli',
    '  cluster:',
    `    server: ${url}`,
    `    certificate-authority-data: ${Buffer.from(ca).toString('base64')}`,
    'contexts:',
    ...contexts.flatMap(({ name, user }) => [
      `- name: ${JSON.stringify(name)}`,
      '  context:',
      '    cluster: webhook-cli',
      `    user: ${JSON.stringify(user)}`,
    ]),
    'users:',
    ...users.flatMap(user => [`- name: ${JSON.stringify(user.username)}`, '  user:', `    token: ${user.token}`]),
  ];
  return `${lines.join('\n')}\n`;
}
