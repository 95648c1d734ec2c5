import { certificatesWord, type Project, portWord, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { settingsIn } from './settings.js';

const manifests = ['pyproject.toml', 'requirements.txt', 'Pipfile', 'setup.py'];

/** A Python project: kopf, Flask, or a server of its own. */
export function pythonProject({ names, text }: ProjectFiles): Project | undefined {
  const evidence = manifests.filter(name => names.includes(name));
  const sources = names.filter(name => name.endsWith('.py') && !/(^|\/)(tests?|docs)\/|(^|\/)test_/.test(name));
  const kopf = sources.find(name => /^\s*(import kopf|from kopf)/m.test(text(name)) && /kopf\.on\.(validate|mutate)/.test(text(name)));
  if (evidence.length === 0 && kopf === undefined) return undefined;
  const own = { evidence: [...evidence, ...(kopf === undefined ? [] : [kopf])], language: 'python' } as const;
  if (kopf !== undefined) {
    const isManaged = /admission\.managed\s*=/.test(text(kopf));
    const start = {
      command: `kopf run --verbose --standalone ${kopf}`,
      env: withKubeconfig({}),
      port: portWord,
      registersWith: 'Reconfiguring the (mutating|validating) webhook',
    };
    return { ...own, name: 'a Python project with kopf', start: isManaged ? start : undefined, port: undefined };
  }
  const flask = sources.find(name => /=\s*Flask\(/.test(text(name)));
  if (flask !== undefined) {
    const command = `flask --app ${flask} run --port=${portWord} --cert=${certificatesWord}/tls.crt --key=${certificatesWord}/tls.key`;
    return { ...own, name: 'a Python project with Flask', start: { command, env: {}, port: portWord }, port: portWord };
  }
  const server = sources.find(name => /AdmissionReview/.test(text(name)) && /__main__/.test(text(name)));
  const { env, port, hasCertificate } = settingsIn(server === undefined ? '' : text(server));
  const start = server !== undefined && hasCertificate ? { command: `python3 ${server}`, env, port: port ?? '8443' } : undefined;
  return { ...own, name: 'a Python project', start, port };
}
