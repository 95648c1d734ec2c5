import { memoizeStrings } from '../kubernetes/memoize.js';

/** Nouns of secrets, alone or as the last word of a name: `DB_PASS`, `clientSecret`, `PGPASSWORD`. */
const nouns = new Set(
  'token tokens password passwords passwd pwd pass passphrase passcode secret secrets credential credentials creds apikey apikeys pat pem jwt cookie dsn'.split(
    ' ',
  ),
);

/** `key` alone is any key: these words before it make it a secret. */
const kindsOfKeys = new Set(
  'api access private secret client signing encryption ssh master auth session license account shared storage deploy jwt hmac webhook service encrypt rsa dsa ecdsa ed25519 gpg pgp tls ssl ca cipher crypto admin root app bot sas'.split(
    ' ',
  ),
);

/** Words after the noun: `client-key-data`, `TOKEN_V2`, `password_base64`. */
const afterwards = new Set(
  'data base64 b64 value json old new current previous next primary secondary backup prod production staging dev test live'.split(' '),
);

/** Names without separators. */
const joined =
  /(?:password|passwd|passphrase|(?:^|auth|access|refresh|bearer|id|api|account|service|bot|identity|registry|session|login|sas)token|(?:api|private|secret|access|signing|encryption|ssh|master)key|clientsecret|^pgpass)$/;

/** Names of Kubernetes' own fields with strings that are not secrets, but names of secrets. */
const references = new Set(['secret', 'secrets', 'credential', 'credentials', 'dsn', 'pem', 'cookie', 'pat']);

/**
 * Reports whether the name of a member, a variable or a flag indicates a secret: `token`, `apiKey`, `DB_PASSWORD`, `client-key-data`; not `tokenPath`,
 * `secretName`, `publicKey`.
 */
export function isSecretName(name: string): boolean {
  return isSecretEnd(name.length > maxName ? name.slice(-maxName) : name);
}

/** The end of a longer name tells what it names. */
const maxName = 80;

/** Objects of one run have the names of their members in common. */
const isSecretEnd = memoizeStrings(4096, (name: string): boolean => {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (nouns.has(last) || joined.test(last)) return true;
  return (last === 'key' || last === 'keys') && kindsOfKeys.has(words.at(-2) ?? '');
});

/** Reports whether a value with such a name is one: neither a reference to another variable or object, nor a flag, nor redacted. */
export function isSecretValue(name: string, value: string): boolean {
  if (
    value === '' ||
    /^(?:true|false|null|none|yes|no|\d{1,3}|\*+|<redacted.*>)$/i.test(value) ||
    /^\$(?:\([\w.-]+\)|\{[\w.:-]+\}|[A-Z_][A-Z0-9_]*)$/.test(value)
  )
    return false;
  if (/^\{\{[^{}]*\}\}$/.test(value)) return false;
  // `secret: default/my-tls`, `/var/run/secrets/token`
  if (/^(?:\/|\.\/|file:)[\w./@:-]*$/.test(value)) return false;
  const last = wordsOf(name).at(-1) ?? '';
  return !(references.has(last) && !/^[A-Z0-9_]+$/.test(name) && /^[a-z0-9]+(?:[-./:][a-z0-9]+)*$/.test(value));
}

function wordsOf(name: string): string[] {
  const words = (name.slice(-maxName).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map(word => word.toLowerCase());
  while (words.length > 1 && (afterwards.has(words.at(-1) ?? '') || /^(?:\d+|v)$/.test(words.at(-1) ?? ''))) words.pop();
  return words;
}
