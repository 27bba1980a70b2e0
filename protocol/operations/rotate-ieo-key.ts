import { refusal } from '../errors.ts';
import { publicKey } from '../shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

/** The current key names the new key; also allowed while LOCKED or SUSPENDED. Protocol §3. */
export const rotateIEOKey = defineIeoKeyOperation<{ ieoId: string; newPublicKey: string }>()({
  name: 'rotateIEOKey',
  function: 'rotateKey',
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
  answer: (ieo) => ({ key_version: ieo.keyVersion, public_key: ieo.publicKey }),
});
