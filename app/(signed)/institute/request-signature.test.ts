import { expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { publicKeyOf, signBytes } from '../../../protocol/signing/ed25519.ts';
import { toBase64, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { isSigned } from './request-signature.ts';

type Request = Parameters<typeof isSigned>[0];

const SEED = new Uint8Array(32).fill(7);
const OTHER = new Uint8Array(32).fill(8);
const FIELDS = {
  function: 'requestCertification',
  ieoId: 'a-lab',
  level: 'ADVANCED',
  categories: ['BSP-CV'],
  intents: ['SOVEREIGN_EXPORT'],
  grounds: 'ISO 15189.',
  timestamp: '2026-11-27T12:00:00.000Z',
};

function request(fields: Record<string, Json> = FIELDS, seed = SEED): Request {
  const message = canonicalJson(fields);
  return {
    institution: { ieo_id: 'a-lab', domain: 'lab.bsp', public_key: publicKeyOf(SEED) },
    level: 'ADVANCED',
    categories: ['BSP-CV'],
    intents: ['EXPORT_DATA'],
    grounds: 'ISO 15189.',
    requested_at: '2026-11-27T12:00:01.000Z',
    message,
    signature: toBase64(signBytes(seed, utf8ToBytes(message))),
    public_key: publicKeyOf(seed),
  } as unknown as Request;
}

test('a request is the institution’s if its current key has signed what is shown', () => {
  expect(isSigned(request())).toBe(true);
  expect(isSigned(request({ ...FIELDS, ieoId: 'lab.bsp' }))).toBe(true);
});

test('a request that was altered, or signed by another key or institution, is rejected', () => {
  const good = request();
  for (const changes of [
    { requested_at: '2026-11-28T12:00:00.000Z' },
    { level: 'BASIC' },
    { grounds: 'Something else.' },
    { categories: [] },
    { intents: ['READ_RECORDS'] },
    { signature: 'no signature' },
    { message: good.message.replace('15189', '15190') },
  ])
    expect(isSigned({ ...good, ...changes } as Request), JSON.stringify(changes)).toBe(false);
  expect(isSigned(request(FIELDS, OTHER))).toBe(false);
  expect(isSigned(request({ ...FIELDS, ieoId: 'another' }))).toBe(false);
  expect(isSigned(request({ ...FIELDS, function: 'lockIEO' }))).toBe(false);
});
