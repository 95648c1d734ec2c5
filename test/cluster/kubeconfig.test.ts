import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clusterSettings, userSettings } from '../../src/cluster/kubeconfig/cluster-settings.js';
import { readKubeconfig } from '../../src/cluster/kubeconfig/read-kubeconfig.js';
import { selectContext } from '../../src/cluster/kubeconfig/select-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const removals: (() => void)[] = [];

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const { folder, remove } = temporaryFolder(files);
  removals.push(remove);
  return folder;
}

const entry = (server: string, user: string): string => `
clusters: [{name: c, cluster: {server: "${server}", certificate-authority: ca.crt}}]
users: [{name: u, user: {${user}}}]
contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}]
`;

describe('a kubeconfig', () => {
  it('is merged from the files of KUBECONFIG: the first entry and the first current context win', () => {
    const folder = folderWith({
      a: `kind: Config${entry('https://a', 'token: t1')}`,
      b: `current-context: second${entry('https://b', 'token: t2')}- {name: second, context: {cluster: c, user: u}}`.replace(
        'contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}]\n',
        'contexts:\n',
      ),
      'ca.crt': 'PEM',
    });
    const env = { KUBECONFIG: ['missing', 'a', 'b'].join(path.delimiter) };
    const config = readKubeconfig({ given: undefined, env, cwd: folder });
    expect([config.currentContext, [...config.contexts.keys()].sort(), config.clusters.get('c')?.settings.get('server')]).toEqual([
      'second',
      ['second', 'x'],
      'https://a',
    ]);
  });

  it('is ~/.kube/config by default, and paths in it are relative to it', () => {
    const home = folderWith({ '.kube/config': entry('https://a/prefix/', 'tokenFile: token'), '.kube/ca.crt': 'PEM' });
    const selected = selectContext(readKubeconfig({ given: undefined, env: { HOME: home }, cwd: '/' }), 'x');
    expect(selected.namespace).toBe('shop');
    expect(clusterSettings(selected)).toMatchObject({ server: 'https://a/prefix', authority: 'PEM' });
    expect(userSettings(selected).tokenFile).toBe(path.join(home, '.kube/token'));
  });

  it('reads impersonation and basic TLS options', () => {
    const user = 'token: t, as: bob, as-uid: "7", as-groups: [dev, ops], as-user-extra: {Why/x: [a, b]}';
    const text = entry('https://a', user).replace(
      'certificate-authority: ca.crt',
      'insecure-skip-tls-verify: true, tls-server-name: inner',
    );
    const selected = selectContext(readKubeconfig({ given: 'k', env: {}, cwd: folderWith({ k: text }) }), 'x');
    expect(clusterSettings(selected)).toMatchObject({ insecure: true, serverName: 'inner', authority: undefined });
    expect(userSettings(selected).impersonation).toEqual([
      ['Impersonate-User', 'bob'],
      ['Impersonate-Uid', '7'],
      ['Impersonate-Group', 'dev'],
      ['Impersonate-Group', 'ops'],
      ['Impersonate-Extra-Why%2Fx', 'a'],
      ['Impersonate-Extra-Why%2Fx', 'b'],
    ]);
  });

  it.each([
    ['a missing file of --kubeconfig', {}, 'k', undefined, 'the kubeconfig cannot be read: no such file or directory'],
    ['another document', { k: 'kind: Pod' }, 'k', undefined, 'not a kubeconfig: expected one document of kind Config'],
    ['no file at all', {}, undefined, undefined, 'no kubeconfig found'],
    ['no current context', { k: entry('https://a', '') }, 'k', undefined, 'has no current context'],
    ['an unknown context', { k: entry('https://a', '') }, 'k', 'z', 'context "z" does not exist'],
    [
      'a missing user',
      { k: entry('https://a', '').replace('name: u,', 'name: w,') },
      'k',
      'x',
      'user "u" of the context "x" does not exist',
    ],
    ['an address that is none', { k: entry('a', '') }, 'k', 'x', 'invalid server "a": expected https://HOST[:PORT]'],
    ['a missing CA', { k: entry('https://a', '') }, 'k', 'x', 'unable to read certificate-authority ca.crt: no such file or directory'],
    [
      'a certificate without a key',
      { k: entry('https://a', 'client-certificate-data: eA==').replace(/, certificate-authority: ca.crt/, '') },
      'k',
      'x',
      'must be given together',
    ],
    [
      'a certificate that is not base64',
      { k: entry('https://a', 'client-certificate-data: "!!!", client-key-data: eA==').replace(/, certificate-authority: ca.crt/, '') },
      'k',
      'x',
      'user "u": invalid client-certificate-data: illegal base64 data at input byte 0',
    ],
    [
      'a CA that is not base64',
      { k: entry('https://a', '').replace('authority: ca.crt', 'authority-data: eA!') },
      'k',
      'x',
      'invalid certificate-authority-data: illegal base64 data at input byte ',
    ],
    [
      'an old auth-provider',
      { k: entry('https://a', 'auth-provider: {name: oidc}').replace(/, certificate-authority: ca.crt/, '') },
      'k',
      'x',
      'the auth-provider "oidc" is not supported',
    ],
    [
      'a CA and no verification',
      { k: entry('https://a', '').replace('authority: ca.crt', 'authority-data: eA==, insecure-skip-tls-verify: true') },
      'k',
      'x',
      'root certificates file with the insecure flag is not allowed',
    ],
  ])('with %s is refused', (_, files, given, context, message) => {
    const read = () => {
      const selected = selectContext(readKubeconfig({ given, env: {}, cwd: folderWith(files as Record<string, string>) }), context);
      return [clusterSettings(selected), userSettings(selected)];
    };
    expect(read).toThrow(expect.objectContaining({ code: 'invalid-kubeconfig', message: expect.stringContaining(message) }));
  });
});
