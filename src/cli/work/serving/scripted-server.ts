import { CliError } from '../../../client/cli-error.js';
import { readUnstructured } from '../../../encoding/unstructured.js';
import { readManifests } from '../../../encoding/yaml-stream.js';
import { joinHostPort } from '../../../go/net/host-port.js';
import { readScript } from '../../../webhook-server/script/read-script.js';
import type { Script } from '../../../webhook-server/script/script.js';
import { ScriptError } from '../../../webhook-server/script/script-fields.js';
import { type EndpointCertificate, startScriptedEndpoint } from '../../../webhook-server/script/scripted-endpoint.js';
import { readInputFile } from '../input/files.js';

/** A script and its file. */
export interface ScriptFile {
  readonly file: string;
  readonly script: Script;
}

/** A running scripted endpoint. */
export interface ScriptedServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Reads the script of a JSON or YAML file with one document. Throws CliError. */
export function readScriptFile(file: string, cwd: string): ScriptFile {
  const { documents, error } = readManifests(readInputFile(file, cwd));
  if (error !== undefined) {
    throw new CliError('invalid-syntax', error.message.replaceAll('\n', ' '), { location: { file, ...error.position } });
  }
  const [document, second] = documents;
  if (document === undefined) throw noScript('missing document: expected one script', { file });
  if (second !== undefined) throw noScript('unexpected second document: expected one script', { file, line: second.line });
  try {
    const script = readScript(readUnstructured(document.json));
    return { file, script };
  } catch (error) {
    if (error instanceof ScriptError) throw noScript(error.message, { file }, error);
    throw error;
  }
}

/** Returns the certificate and key in the script; undefined when they come from elsewhere. Throws CliError. */
export function pairOfScript({ file, script: { certificate } }: ScriptFile, folder: string | undefined): EndpointCertificate | undefined {
  if (folder !== undefined) return undefined;
  if (certificate?.name !== undefined && certificate.pair === undefined) {
    throw new CliError('invalid-configuration', `certificate: the pair ${JSON.stringify(certificate.name)} is not in the script`, {
      location: { file },
      suggestions: ['add it as chain and key in PEM', 'pass --cert-dir', 'omit certificate to create one'],
    });
  }
  return certificate?.pair;
}

/** Serves the script until it is closed. Rejects for an unusable key pair, and with the system's error when it cannot listen. */
export async function startScript(
  { script }: ScriptFile,
  pair: { readonly cert: string; readonly key: string },
  address: { readonly host: string; readonly port: number },
): Promise<ScriptedServer> {
  const { ciphers, minimum, maximum, clientCA } = script.certificate ?? {};
  const certificate = { chain: pair.cert, key: pair.key, ciphers, minimum, maximum, clientCA };
  const { port, close } = await startScriptedEndpoint(script, certificate, { ...address, forgetsCalls: true });
  return { origin: `https://${joinHostPort(address.host, port)}`, close };
}

function noScript(message: string, location: { readonly file: string; readonly line?: number }, cause?: unknown): CliError {
  return new CliError('invalid-configuration', message, {
    location,
    suggestions: ['describe one endpoint, such as {"kind": "http", "status": 500}, or {endpoint, routes, certificate}'],
    cause,
  });
}
