import { expect, test } from 'vitest';
import { readAskedRequest } from './asked-request.ts';

const read = (query: string) => readAskedRequest(new URLSearchParams(query));
const TOKEN = 'tok_00000000-0000-4000-8000-000000000000';
const GRANT = 'ask=grantConsent&beo=alice.bsp&ieo=clinic.bsp&intents=READ_RECORDS&categories=BSP-HM';

test.each(['lockBEO', 'unlockBEO', 'revokeAllTokens', 'destroyBEO'])('reads %s', (ask) => {
  expect(read(`ask=${ask}&beo=Alice.bsp`)).toEqual({ ask, beo: 'alice.bsp' });
});

test('reads the withdrawal of one consent', () => {
  expect(read(`ask=revokeToken&beo=alice.bsp&token=${TOKEN}`)).toEqual({
    ask: 'revokeToken',
    beo: 'alice.bsp',
    tokenId: TOKEN,
  });
});

test('reads the cancellation of a recovery', () => {
  const requestId = '00000000-0000-4000-8000-00000000000a';
  expect(read(`ask=cancelRecovery&beo=alice.bsp&request=${requestId.toUpperCase()}`)).toEqual({
    ask: 'cancelRecovery',
    beo: 'alice.bsp',
    requestId,
  });
});

test('reads a wish for a consent, each value once', () => {
  expect(read(`${GRANT},BSP-HM,*&days=30`)).toEqual({
    ask: 'grantConsent',
    beo: 'alice.bsp',
    ieo: 'clinic.bsp',
    intents: ['READ_RECORDS'],
    categories: ['BSP-HM', '*'],
    days: 30,
  });
  expect(read(GRANT)).toMatchObject({ days: null });
});

test.each([
  '',
  'ask=lockBEO',
  'ask=lockBEO&beo=',
  'ask=lockBEO&beo=alice',
  'ask=lockBEO&beo=%3Cb%3Ealice.bsp',
  'ask=rotateKey&beo=alice.bsp',
  'ask=constructor&beo=alice.bsp',
  'ask=revokeToken&beo=alice.bsp',
  'ask=revokeToken&beo=alice.bsp&token=tok_1',
  'ask=cancelRecovery&beo=alice.bsp&request=1',
  GRANT.replace('READ_RECORDS', 'EVERYTHING'),
  GRANT.replace('READ_RECORDS', ''),
  GRANT.replace('BSP-HM', 'BSP-ZZ'),
  GRANT.replace('clinic.bsp', '//evil.example'),
  `${GRANT}&days=0`,
  `${GRANT}&days=36501`,
  `${GRANT}&days=1e3`,
  `${GRANT}&days=`,
])('does not read “%s”', (query) => expect(read(query)).toBe(null));
