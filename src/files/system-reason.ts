/** Returns the reason of a system error as users know it; the error's own message for unknown codes. */
export function systemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons.get(code) ?? (error instanceof Error ? error.message : String(error));
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EBADF', 'it is closed'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EEXIST', 'exists and is not a directory'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EMFILE', 'too many open files'],
  ['ENFILE', 'too many open files in the system'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOENT', 'no such file or directory'],
  ['ENOSPC', 'no space left on device'],
  ['ENOTDIR', 'a part of the path is not a directory'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'the file system is read-only'],
]);
