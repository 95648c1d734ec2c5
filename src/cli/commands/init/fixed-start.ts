import type { Start } from './project.js';
import { fixedCertificateFolder } from './settings.js';

/** Returns the start of a program that always reads its pair in the same folder, where the user has to create it; undefined for any other one. */
export function fixedStart(start: Start, source: string): Start | undefined {
  const certificateFolder = fixedCertificateFolder(source);
  return certificateFolder === undefined ? undefined : { ...start, certificateFolder, authority: `${certificateFolder}/ca.crt` };
}
