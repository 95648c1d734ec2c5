import { scriptWord } from '../../writers/shell.js';
import { listKnownFlags } from '../flags/known-flags.js';
import { etcdInPerl } from './etcd-in-perl.js';

/** The program, as the executables start it. */
export interface Executable {
  /** Path of Node, or of a single executable. */
  readonly command: string;
  /** Path of the script that Node runs; undefined for a single executable. */
  readonly script: string | undefined;
  /** `v1.36` */
  readonly kubernetesVersion: string;
  /** `v1.36.3` */
  readonly release: string;
}

/** Returns the contents of the executables by file name. */
export function executables(program: Executable, platform: NodeJS.Platform): ReadonlyMap<string, string> {
  const minor = Number(program.kubernetesVersion.split('.')[1]);
  const flags = listKnownFlags(minor).map(({ name, type }) => `      --${name} ${type}`);
  const apiServerHelp = ['The in-memory API server of webhook-cli.', '', 'Usage:', '  kube-apiserver [flags]', '', 'Flags:', ...flags];
  if (platform === 'win32') return batchFiles(program, apiServerHelp);
  return new Map([
    ['kube-apiserver', shellApiServer(program, apiServerHelp)],
    ['etcd', shellEtcd(program)],
    ['kubectl', shellKubectl],
  ]);
}

const etcdHelp = [
  'Answers health checks, and stores nothing.',
  '',
  'Flags:',
  '  --listen-client-urls URL',
  '  --data-dir PATH',
  '  --unsafe-no-fsync',
];

/**
 * Prints help without starting Node: envtest calls it before every start. Node parses the certificates of NODE_EXTRA_CA_CERTS at its start, and Node 20 all
 * root certificates with the first CA of a listener, unless they are those of OpenSSL: a third of the time until the server is ready, and
 * kube-apiserver needs none of them.
 */
function shellApiServer(program: Executable, help: readonly string[]): string {
  return `#!/bin/sh
case "$1" in
--help | -h) printf '%s\\n' ${scriptWord(help.join('\n'))}; exit 0 ;;
--version) printf '%s\\n' 'Kubernetes ${program.release}'; exit 0 ;;
esac
case " $NODE_OPTIONS " in
*' --use-bundled-ca '*) ;;
*) export NODE_OPTIONS="$NODE_OPTIONS --use-openssl-ca" SSL_CERT_FILE=/dev/null SSL_CERT_DIR=/dev/null ;;
esac
unset NODE_EXTRA_CA_CERTS
exec ${startOf(program)} controlplane kube-apiserver ${program.kubernetesVersion} "$@"
`;
}

/** Perl starts in a few milliseconds and needs little memory, and most systems have it. */
function shellEtcd(program: Executable): string {
  return `#!/bin/sh
case "$1" in
--help | -h) printf '%s\\n' ${scriptWord(etcdHelp.join('\n'))}; exit 0 ;;
--version) printf 'etcd Version: 3.6.0\\n'; exit 0 ;;
esac
perl=$(command -v perl) && case " $* " in
*https://* | *'['*) ;;
*) exec "$perl" -e ${scriptWord(etcdInPerl)} -- "$@" ;;
esac
exec ${startOf(program)} controlplane etcd "$@"
`;
}

/** Folders of this kind in PATH are skipped. */
const shellKubectl = `#!/bin/sh
IFS=:
for folder in $PATH; do
  case "$folder/" in
  */webhook-cli/envtest/*) ;;
  *) if [ -x "$folder/kubectl" ]; then exec "$folder/kubectl" "$@"; fi ;;
  esac
done
echo 'kubectl: webhook-cli envtest has no kubectl of its own, and PATH has none: install kubectl, or add its folder to PATH' >&2
exit 127
`;

function startOf({ command, script }: Executable): string {
  return [command, ...(script === undefined ? [] : [script])].map(scriptWord).join(' ');
}

function batchFiles(program: Executable, apiServerHelp: readonly string[]): ReadonlyMap<string, string> {
  const { command, script, kubernetesVersion, release } = program;
  const start = [command, ...(script === undefined ? [] : [script])].map(word => `"${word.replaceAll('%', '%%')}"`).join(' ');
  const batch = (name: string, version: string, message: string): string =>
    [
      '@echo off',
      `if "%~1"=="--help" type "%~dp0${name}.help" & exit /b 0`,
      `if "%~1"=="--version" echo ${version}& exit /b 0`,
      'set "NODE_EXTRA_CA_CERTS="',
      `${start} controlplane ${message} %*`,
    ].join('\r\n');
  const kubectl = [
    '@echo off',
    'for %%k in (kubectl.exe) do if not "%%~$PATH:k"=="" "%%~$PATH:k" %* & exit /b',
    'echo kubectl: webhook-cli envtest has no kubectl of its own, and PATH has none: install kubectl, or add its folder to PATH>&2',
    'exit /b 1',
  ];
  return new Map([
    ['kube-apiserver.cmd', batch('kube-apiserver', `Kubernetes ${release}`, `kube-apiserver ${kubernetesVersion}`)],
    ['kube-apiserver.help', apiServerHelp.join('\r\n')],
    ['etcd.cmd', batch('etcd', 'etcd Version: 3.6.0', 'etcd')],
    ['etcd.help', etcdHelp.join('\r\n')],
    ['kubectl.cmd', kubectl.join('\r\n')],
  ]);
}
