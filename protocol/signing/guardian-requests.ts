import { z } from 'zod';
import { entityReference, publicKey } from '../shapes.ts';
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
