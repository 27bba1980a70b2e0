import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../protocol/operations.ts';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { exampleRequest } from '../snippets/example-request.ts';
import { tryTarget } from './target.ts';
import { warningOf } from './warning.ts';

const { operations } = describedApi();
const warnings = (isPermanent: boolean) =>
  operations.map((operation) => ({
    operation,
    warning: warningOf(tryTarget(operation, exampleRequest(operation, operations)), isPermanent),
  }));

test('every operation that a visitor can sign is confirmed, and no read', () => {
  const names = new Set(OPERATIONS.filter(({ signer }) => signer !== 'institute').map(({ name }) => name as string));
  for (const { operation, warning } of warnings(true)) {
    const name = operation.id.replace(/_\d+$/, '');
    if (names.has(name)) expect([name, warning?.title]).toEqual([name, 'Record this permanently?']);
    if (operation.method === 'GET') expect([name, warning]).toEqual([name, null]);
  }
});

test('requests that change something besides the ledger are confirmed', () => {
  const changes = warnings(true).flatMap(({ operation: { id }, warning }) =>
    warning?.title === 'This request changes something' ? [id] : [],
  );
  expect(changes).toEqual([
    'requestRecovery',
    'attestGuardian',
    'practiseRecovery',
    'requestCertification',
    'withdrawCertificationRequest',
    'askConsent',
    'postMailUnsubscribeByToken',
    'postMailResubscribeByToken',
    'setAlerts',
    'postAlertsConfirmByToken',
    'createShare',
    'stopShare',
    'postSharesByIdManifest',
    'pauseWebhook',
    'resumeWebhook',
    'testWebhook',
    'resendEvent',
    'replayEvents',
  ]);
});

test('only the test network is called not permanent', () => {
  const sentences = (isPermanent: boolean) =>
    warnings(isPermanent)
      .flatMap(({ warning }) => warning?.sentences ?? [])
      .join(' ');
  expect(sentences(true)).not.toContain('not permanent');
  expect(sentences(false)).toContain('This is a test network: it is not permanent');
});
