import { z } from 'zod';
import { refusal } from '../errors.ts';
import { hexKey } from '../response-shapes.ts';
import { publicKey } from '../shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** The current key names the new key; also allowed while LOCKED or SUSPENDED. Protocol §3. */
export const rotateIEOKey = defineIeoKeyOperation<{ ieoId: string; newPublicKey: string }>()({
  name: 'rotateIEOKey',
  function: 'rotateKey',
  title: 'Replace the key of an institution',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/ieo/rotate-key', limit: 'relayer' }],
  shape: { newPublicKey: publicKey },
  statuses: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
  publicFacts: ({ fields }) => fields,
  change(ieo, { newPublicKey }, at) {
    const key = newPublicKey.toLowerCase();
    if (key === ieo.publicKey) throw refusal('KEY_UNCHANGED');
    if (ieo.recovery.guardians.some(({ publicKey }) => publicKey === key)) {
      throw refusal('PUBLIC_KEY_TAKEN', 'The new key is the key of a guardian; choose another key.');
    }
    return { changes: [{ ...ieo, publicKey: key, keyVersion: ieo.keyVersion + 1, updatedAt: at }] };
  },
  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'KEY_UNCHANGED'],
  response: z.object({ key_version: z.int().min(2), public_key: hexKey }),
  answer: ({ keyVersion }, { publicFacts }) => ({
    key_version: keyVersion,
    public_key: publicFacts.newPublicKey.toLowerCase(),
  }),
});
