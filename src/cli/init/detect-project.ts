import { goProject } from './go-project.js';
import { nodeProject } from './node-project.js';
import { certificatesWord, type Project, portWord, secondPortWord, withKubeconfig } from './project.js';
import type { ProjectFiles } from './project-files.js';
import { pythonProject } from './python-project.js';
import { settingsIn } from './settings.js';

/** Detects the kind of a project from its files. */
export function detectProject(files: ProjectFiles): Project {
  return (
    goProject(files) ??
    rustProject(files) ??
    javaProject(files) ??
    pythonProject(files) ??
    nodeProject(files) ?? { name: 'a plain folder', evidence: [], language: undefined, start: undefined, port: undefined }
  );
}

function rustProject(files: ProjectFiles): Project | undefined {
  if (!files.names.includes('Cargo.toml')) return undefined;
  const manifest = files.text('Cargo.toml');
  const sources = files.names.filter(name => name.endsWith('.rs')).map(files.text);
  const { env, port, hasCertificate } = settingsIn(sources.join('\n'));
  return {
    name: /^kube\b|\bkube\s*=|^\[.*dependencies\.kube\]/m.test(manifest) ? 'a Rust project with kube' : 'a Rust project',
    evidence: ['Cargo.toml'],
    language: 'rust',
    start: hasCertificate ? { command: 'cargo run', env: withKubeconfig(env), port: port ?? '8443' } : undefined,
    port,
  };
}

function javaProject(files: ProjectFiles): Project | undefined {
  const [pom] = files.names.filter(name => /(^|\/)pom\.xml$/.test(name) && /spring-boot|quarkus/.test(files.text(name)));
  const root = pom ?? (files.names.includes('pom.xml') ? 'pom.xml' : undefined);
  if (root === undefined) return undefined;
  const text = files.text(root);
  const own = { evidence: [root], language: 'java', port: undefined } as const;
  const name = /javaoperatorsdk|kubernetes-webhooks-framework/.test(text) ? 'a Java project with the operator SDK' : 'a Java project';
  const maven = `mvn -q${root === 'pom.xml' ? '' : ` -f ${root}`}`;
  if (/quarkus/.test(text)) {
    const settings = [
      `ssl-port=${portWord}`,
      `ssl.certificate.files=${certificatesWord}/tls.crt`,
      `ssl.certificate.key-files=${certificatesWord}/tls.key`,
      `port=${secondPortWord}`,
    ];
    const flags = settings.map(setting => `-Dquarkus.http.${setting}`).join(' ');
    return { ...own, name, start: { command: `${maven} quarkus:dev ${flags}`, env: {}, port: portWord } };
  }
  if (/spring-boot/.test(text)) {
    const env = {
      SERVER_PORT: portWord,
      SERVER_SSL_ENABLED: 'true',
      SERVER_SSL_CERTIFICATE: `${certificatesWord}/tls.crt`,
      SERVER_SSL_CERTIFICATE_PRIVATE_KEY: `${certificatesWord}/tls.key`,
      // With an empty type and store, the certificate files take effect.
      SERVER_SSL_KEY_STORE_TYPE: '',
    };
    return { ...own, name, start: { command: `${maven} spring-boot:run`, env, port: portWord } };
  }
  return { ...own, name, start: undefined };
}
