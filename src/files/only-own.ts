/**
 * Returns who else than a user could have written a file or a folder: another owner, or users whom its mode lets write; undefined if nobody could.
 * Windows has neither owners nor modes of this form, and no `user`. `writers`: the bits of the mode that count; the first group of a user is often
 * theirs alone. `trusted`: another user.
 */
export function strangerOf(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  user: number | undefined,
  writers: 0o022 | 0o002,
  trusted = user,
): 'owner' | 'mode' | undefined {
  if (user === undefined) return undefined;
  if (uid !== user && uid !== trusted) return 'owner';
  return (mode & writers) === 0 ? undefined : 'mode';
}
