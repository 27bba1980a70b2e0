import { z } from 'zod';
import { entityReference, publicKey } from '../shapes.ts';
import type { RequestForm } from './message.ts';

const fields = z.strictObject({ beoId: entityReference, newPublicKey: publicKey });

/**
 * A recovery request. It is not an operation: it changes nothing and writes no entry. A signature with the new key is optional,
 * because the guardians' confirmations protect the identity. Protocol §1, §3.
 */
export const REQUEST_RECOVERY: RequestForm = {
  function: 'requestRecovery',
  fields,
  hints: {},
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
};
