import { z } from 'zod';
import { entityReference, publicKey, text, uuid } from '../shapes.ts';
import type { RequestForm } from './message.ts';

/** A holder reads the names and contacts of the guardians. Not an operation: it writes no entry. An extension. Protocol §1. */
export const LIST_GUARDIANS: RequestForm = {
  function: 'listGuardians',
  fields: z.strictObject({ beoId: entityReference }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
};

/** A guardian lists the identities that its key guards. Not an operation: it writes no entry. An extension. Protocol §1. */
export const LIST_GUARDED: RequestForm = {
  function: 'listGuarded',
  fields: z.strictObject({ publicKey }),
  hints: {},
  introduces: ({ publicKey }) => ({ keys: [publicKey], domains: [] }),
};

/** A guardian checks that its key is still there. Not an operation: it writes no entry. Protocol §11. */
export const ATTEST_GUARDIAN: RequestForm = {
  function: 'attestGuardian',
  fields: z.strictObject({
    guardianId: uuid,
    challenge: text('the challenge that listGuarded returned for this guardian', { max: 512 }),
  }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
};

/** A holder begins a practice of a recovery, with a key that will never be used. Not an operation: it writes no entry. Protocol §11. */
export const START_PRACTICE: RequestForm = {
  function: 'startPractice',
  fields: z.strictObject({ beoId: entityReference, newPublicKey: publicKey }),
  hints: {},
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
};

/** A guardian practises a confirmation. Another function than confirmRecovery, so it confirms nothing. Protocol §11. */
export const PRACTISE_RECOVERY: RequestForm = {
  function: 'practiseRecovery',
  fields: z.strictObject({ practiceId: uuid, newPublicKey: publicKey }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
};
