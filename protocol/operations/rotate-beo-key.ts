import { refusal } from '../errors.ts';
import { publicKey } from '../shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** The current key names its successor; works while LOCKED too. Protocol §3. */
export const rotateBEOKey = defineBeoKeyOperation<{ beoId: string; newPublicKey: string }>({
  name: 'rotateBEOKey',
  function: 'rotateKey',
  routes: [{ method: 'POST', path: '/api/relayer/beo/rotate-key', limit: 'relayer' }],
  shape: { newPublicKey: publicKey },
  introduces: ({ newPublicKey }) => ({ keys: [newPublicKey], domains: [] }),
  change(beo, { newPublicKey }, at) {
    const key = newPublicKey.toLowerCase();
    if (key === beo.publicKey) throw refusal('KEY_UNCHANGED');
    const guardian = beo.recovery.guardians.find(({ status, publicKey }) => status !== 'REMOVED' && publicKey === key);
    if (guardian)
      throw refusal('PUBLIC_KEY_TAKEN', 'The new key is a guardian’s key; a holder cannot be their own guardian.');
    return { changes: [{ ...beo, publicKey: key, keyVersion: beo.keyVersion + 1, updatedAt: at }] };
  },
  answer: (beo) => ({ key_version: beo.keyVersion, public_key: beo.publicKey }),
});
