import { CliError } from '../../client/cli-error.js';

/** Returns an error without the secrets that its message quotes from a file or an address. Other errors are bugs, and are returned as they are. */
export async function hideSecretsInError<E>(error: E): Promise<E | CliError> {
  if (!(error instanceof CliError)) return error;
  const { textWithoutSecrets } = await import('../../redaction/text-secrets.js');
  const message = textWithoutSecrets(error.message);
  const others = await Promise.all(error.others.map(other => hideSecretsInError(other)));
  const isSame = message === error.message && others.every((other, i) => other === error.others[i]);
  return isSame ? error : new CliError(error.code, message, { ...error, cause: error.cause, others });
}
