import { z } from 'zod';
import { requireFreeKey } from '../entities/social-recovery.ts';
import { refusal } from '../errors.ts';
import { hexKey } from '../response-shapes.ts';
import { publicKey } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** The current key names the new key; also allowed while LOCKED. Protocol §3. */
export const rotateBEOKey = defineBeoKeyOperation<{ beoId: string; newPublicKey: string }>()({
  name: 'rotateBEOKey',
  function: 'rotateKey',
  title: 'Replace the key of an identity',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/relayer/beo/rotate-key', limit: 'relayer' }],
  shape: { newPublicKey: publicKey },
  publicFacts: ({ fields }) => fields,
  events: ['beo.key_rotated'],
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
  change(beo, { publicFacts: { newPublicKey }, acceptedAt }) {
    const key = newPublicKey.toLowerCase();
    if (key === beo.publicKey) throw refusal('KEY_UNCHANGED');
    requireFreeKey({ recovery: beo.recovery, publicKey: null }, key, Date.parse(acceptedAt));
    return { changes: [{ ...beo, publicKey: key, keyVersion: beo.keyVersion + 1, updatedAt: acceptedAt }] };
  },
  errors: ['PUBLIC_KEY_INVALID', 'PUBLIC_KEY_TAKEN', 'KEY_UNCHANGED'],
  response: z.object({ key_version: z.int().min(2), public_key: hexKey }),
  answer: ({ keyVersion }, { publicFacts }) => ({
    key_version: keyVersion,
    public_key: publicFacts.newPublicKey.toLowerCase(),
  }),
});
