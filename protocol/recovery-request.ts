import { z } from 'zod';
import type { RequestForm } from './message.ts';
import { entityReference, publicKey } from './shapes.ts';

const fields = z.strictObject({ beoId: entityReference, newPublicKey: publicKey });

/**
 * A request for recovery. It is no operation of the ledger: it changes nothing and is not written to the network. Whoever sends
 * it may sign it with the new key; the guardians are what protects the identity. Protocol §1, §3.
 */
export const REQUEST_RECOVERY: RequestForm = {
  function: 'requestRecovery',
  fields,
  hints: {},
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
};
