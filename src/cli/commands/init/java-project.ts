import { shellPath } from '../../../writers/shell.js';
import { certificatesWord, type Project, portWord, secondPortWord } from './project.js';
import type { ProjectFiles } from './project-files.js';

/** A Java project with Quarkus or Spring Boot, with the framework of the operator SDK or its own. */
export function javaProject(files: ProjectFiles): Project | undefined {
  const [pom] = files.names.filter(name => /(^|\/)pom\.xml$/.test(name) && /spring-boot|quarkus/.test(files.text(name)));
  const root = pom ?? (files.names.includes('pom.xml') ? 'pom.xml' : undefined);
  if (root === undefined) return undefined;
  const text = files.text(root);
  const own = { evidence: [root], language: 'java', port: undefined } as const;
  const name = /javaoperatorsdk|kubernetes-webhooks-framework/.test(text) ? 'a Java project with the operator SDK' : 'a Java project';
  const maven = mavenFor(root, files);
  if (/quarkus/.test(text)) {
    const settings = [
      `ssl-port=${portWord}`,
      `ssl.certificate.files=${certificatesWord}/tls.crt`,
      `ssl.certificate.key-files=${certificatesWord}/tls.key`,
      `port=${secondPortWord}`,
    ];
    // Not its development mode, which asks questions at the first start, and keeps running after a failed one.
    const flags = settings.map(setting => `-Dquarkus.http.${setting}`).join(' ');
    const program = shellPath(`${root.replace(/pom\.xml$/, '')}target/quarkus-app/quarkus-run.jar`);
    return {
      ...own,
      name,
      start: { command: `${maven} package -DskipTests && exec java ${flags} -jar ${program}`, env: {}, port: portWord },
    };
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

/** A module of a larger project needs the other modules, which a plugin's goal does not build. */
function mavenFor(pom: string, { names, text }: ProjectFiles): string {
  if (pom === 'pom.xml') return 'mvn -q';
  const module = pom.slice(0, -'/pom.xml'.length);
  if (!names.includes('pom.xml') || !text('pom.xml').includes('<modules>')) return `mvn -q -f ${shellPath(pom)}`;
  return `mvn -q -pl ${shellPath(module)} -am install -DskipTests && mvn -q -f ${shellPath(pom)}`;
}
