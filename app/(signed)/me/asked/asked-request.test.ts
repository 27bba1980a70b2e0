import { expect, test } from 'vitest';
import { readAskedRequest } from './asked-request.ts';

const read = (query: string) => readAskedRequest(new URLSearchParams(query));
const TOKEN = 'tok_00000000-0000-4000-8000-000000000000';

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
  'ask=grantConsent&beo=alice.bsp&ieo=clinic.bsp&intents=READ_RECORDS&categories=BSP-HM',
])('does not read “%s”', (query) => expect(read(query)).toBe(null));
