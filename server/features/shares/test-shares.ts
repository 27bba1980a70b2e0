import { createCipheriv, randomBytes } from 'node:crypto';
import { passcodeDigest, shareFileDigest } from '../../../protocol/share-files.ts';
import type { Answer, TestApi } from '../../testing/test-service.ts';
import type { Fields, Parties, Party } from '../../write/test-parties.ts';

/** A compact JWE under a new key. */
export function encryptedFile(content: string, header: Fields = {}): string {
  const protectedHeader = { alg: 'dir', enc: 'A256GCM', cty: 'application/fhir+json', ...header };
  const encoded = Buffer.from(JSON.stringify(protectedHeader)).toString('base64url');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), nonce).setAAD(Buffer.from(encoded));
  const parts = [nonce, Buffer.concat([cipher.update(content), cipher.final()]), cipher.getAuthTag()];
  return [encoded, '', ...parts.map((part) => part.toString('base64url'))].join('.');
}

interface Sharing {
  readonly files?: readonly string[];
  readonly passcode?: string;
  readonly more?: Fields;
}

/** A holder and recipients of shares. `now` is the clock of the service, in ms. */
export function sharesOf(service: TestApi, parties: Parties, now: () => number) {
  const post = (party: Party, path: string, name: string, fields: Fields = {}) =>
    service.post(`/api/shares${path}`, parties.sign(party.person, name, { beoId: party.id, ...fields }));
  const create = (party: Party, { files = [encryptedFile('{}')], passcode, more = {} }: Sharing = {}) => {
    const fileDigests = files.map(shareFileDigest);
    const fields = {
      beoId: party.id,
      label: 'Dr. Lima',
      exp: Math.floor(now() / 1_000) + 3_600,
      passcodeDigest: passcode === undefined ? null : passcodeDigest(passcode, fileDigests[0] ?? ''),
      openings: 3,
      fileDigests,
      ...more,
    };
    return service.post('/api/shares', { ...parties.sign(party.person, 'createShare', fields), files });
  };
  return {
    create,
    /** @returns the id of a share that must be accepted */
    async shared(party: Party, sharing: Sharing = {}): Promise<string> {
      const { status, body } = await create(party, sharing);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.share.share_id;
    },
    list: async (party: Party) => (await post(party, '/list', 'listShares')).body.shares,
    stop: (party: Party, shareId: string) => post(party, '/stop', 'stopShare', { shareId }),
    open: (id: string, body: Fields = {}, at: TestApi = service): Promise<Answer> =>
      at.post(`/api/shares/${id}/manifest`, { recipient: 'Clinic', ...body }),
  };
}
