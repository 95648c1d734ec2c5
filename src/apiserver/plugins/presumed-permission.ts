import { addNote, type CallNotes } from '../../kubernetes/call-notes.js';
import type { Attributes } from '../admission/attributes.js';

/**
 * Says that a permission was not looked up: roles are no part of what is reproduced, every user is taken to have it.
 * Administrators have it in any cluster, so nothing is said of them.
 */
export function presumePermission({ user }: Attributes, record: CallNotes, words: string): void {
  if (!user.groups.includes('system:masters')) addNote(record, `user ${user.username} is taken to have the permission to ${words}`);
}
