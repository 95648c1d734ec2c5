import { shellPath } from '../../../writers/shell.js';
import { certificatesWord, type NewFile, type Project, portWord, suiteFolder, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { certificateFiles, settingsIn } from './settings.js';

const manifests = ['pyproject.toml', 'requirements.txt', 'Pipfile', 'setup.py'];

/** A Python project: kopf, Flask, or a server of its own. */
export function pythonProject({ names, text }: ProjectFiles): Project | undefined {
  const evidence = manifests.filter(name => names.includes(name));
  const sources = names.filter(name => name.endsWith('.py') && name !== kopfServer.name && !/(^|\/)(tests?|docs)\/|(^|\/)test_/.test(name));
  const kopf = sources.find(name => /^\s*(import kopf|from kopf)/m.test(text(name)) && /kopf\.on\.(validate|mutate)/.test(text(name)));
  if (evidence.length === 0 && kopf === undefined) return undefined;
  const own = { evidence: [...evidence, ...(kopf === undefined ? [] : [kopf])], language: 'python' } as const;
  if (kopf !== undefined) return { ...own, name: 'a Python project with kopf', start: kopfStart(kopf, text(kopf)), port: undefined };
  const flask = sources.find(name => /=\s*Flask\(/.test(text(name)));
  if (flask !== undefined) {
    const command = `flask --app ${shellPath(flask)} run --port=${portWord} --cert=${certificatesWord}/tls.crt --key=${certificatesWord}/tls.key`;
    return { ...own, name: 'a Python project with Flask', start: { command, env: {}, port: portWord }, port: portWord };
  }
  const server = sources.find(name => /AdmissionReview/.test(text(name)) && /__main__/.test(text(name)));
  const source = server === undefined ? '' : text(server);
  const { env, port, hasCertificate } = settingsIn(source);
  const start = server !== undefined && hasCertificate ? { command: `python3 ${shellPath(server)}`, env, port: port ?? '8443' } : undefined;
  return { ...own, name: 'a Python project', start, port, fixedFiles: certificateFiles(source) };
}

function kopfStart(file: string, source: string): NonNullable<Project['start']> {
  return {
    command: `kopf run --standalone --all-namespaces ${shellPath(file)} ${kopfServer.name}`,
    env: { ...withKubeconfig({}), CERTS: certificatesWord },
    port: portWord,
    registersWith: 'Reconfiguring the (mutating|validating) webhook',
    handles: decoratedResources(source),
    files: [kopfServer],
  };
}

/**
 * kopf runs the handlers of several files. Programs choose a server for their cluster, such as a tunnel; and a server without files makes
 * its own certificate with oscrypto, which fails with many versions of OpenSSL 3.
 */
const kopfServer: NewFile = {
  name: `${suiteFolder}/kopf_server.py`,
  text: `"""Serves the webhooks at the port of the suite, with its certificate."""
import os

import kopf


@kopf.on.startup()
def serve_suite(settings: kopf.OperatorSettings, **_):
    certs = os.environ['CERTS']
    settings.admission.server = kopf.WebhookServer(
        addr='127.0.0.1',
        port=int(os.environ['PORT']),
        cafile=f'{certs}/ca.crt',
        certfile=f'{certs}/tls.crt',
        pkeyfile=f'{certs}/tls.key',
    )
    settings.admission.managed = settings.admission.managed or 'kopf.webhook-cli.dev'
`,
};

/** Returns the last positional argument of each decorator: `'pods'`, or group, version and plural. */
function decoratedResources(source: string): string[] {
  const decorators = source.matchAll(/@kopf\.on\.(?:validate|mutate)\(\s*((?:['"][^'"]*['"]\s*,?\s*)+)/g);
  const names = [...decorators].map(([, message = '']) => [...message.matchAll(/['"]([^'"]*)['"]/g)].at(-1)?.[1] ?? '');
  return [...new Set(names.map(name => name.split('.')[0] ?? ''))].filter(name => name !== '');
}
