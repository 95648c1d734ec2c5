import { ownMember } from '../go/own-members.js';
import { isSecretName, isSecretValue } from './secret-names.js';
import { textWithoutSecrets } from './text-secrets.js';

/**
 * Reports whether JSON text may have a secret: false only if `withoutSecrets` keeps its value. Most objects have none, and V8 reads JSON several
 * times as fast as the reader that keeps numbers.
 */
export function mayHaveSecrets(json: string): boolean {
  try {
    return isSuspicious(JSON.parse(json));
  } catch {
    // Not JSON, or nested too deeply.
    return true;
  }
}

function isSuspicious(value: unknown): boolean {
  if (typeof value === 'string') return isSuspiciousText(value);
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some(isSuspicious) || value.some(isSecretFlag)
    : isSuspiciousMap(value as Readonly<Record<string, unknown>>);
}

function isSuspiciousMap(map: Readonly<Record<string, unknown>>): boolean {
  const { kind, name } = map;
  if (kind === 'Secret') return true;
  for (const key in map) {
    const member = ownMember(map, key);
    if (typeof member === 'string') {
      const named = key === 'value' && typeof name === 'string' ? name : key;
      if (isSecretName(named) && isSecretValue(named, member)) return true;
      if (key === 'auth' || isSuspiciousText(member)) return true;
    } else if (typeof member === 'object' && member !== null) {
      if ((Array.isArray(member) && isSecretName(key)) || isSuspicious(member)) return true;
    }
    if (key.startsWith('.docker')) return true;
  }
  return false;
}

/** A string may be JSON. */
function isSuspiciousText(text: string): boolean {
  return /^\s*[[{]/.test(text) ? mayHaveSecrets(text) : textWithoutSecrets(text) !== text;
}

/** `--password`, of which the next item is the value. */
function isSecretFlag(item: unknown): boolean {
  return typeof item === 'string' && item.startsWith('-') && isSecretName(item.replace(/^-+/, ''));
}
