import { expect, test } from 'vitest';
import { retryDelay } from '../features/mail/due-mail.ts';
import { readMailbox } from './mailbox.ts';
import { readSmtpUrl } from './smtp-url.ts';

test('a mail server is configured by a URL', () => {
  expect(readSmtpUrl('smtp://mail.example')).toEqual({
    host: 'mail.example',
    port: 587,
    secure: false,
    credentials: null,
  });
  expect(readSmtpUrl('smtps://user:p%40ss%3A%2F@mail.example/')).toEqual({
    host: 'mail.example',
    port: 465,
    secure: true,
    credentials: { user: 'user', pass: 'p@ss:/' },
  });
  expect(readSmtpUrl('smtp://me%40mail.example:x@[::1]:2525')).toEqual({
    host: '::1',
    port: 2525,
    secure: false,
    credentials: { user: 'me@mail.example', pass: 'x' },
  });
});

test.each([
  'mail.example',
  'http://mail.example',
  'smtp:mail.example',
  'smtp://',
  'smtp://user@mail.example',
  'smtp://:pass@mail.example',
  'smtp://u:%zz@mail.example',
  'smtp://mail.example/inbox',
  'smtp://mail.example?tls.rejectUnauthorized=false',
  'smtp://mail.example#x',
  'smtp://mail.example:99999',
  'smtp://ma il.example',
])('an invalid URL is refused: %s', (text) => {
  expect(readSmtpUrl(text)).toBe(null);
});

test('the sender must be a single mailbox', () => {
  expect(readMailbox('guardians@id.example')).toEqual({ name: '', address: 'guardians@id.example' });
  expect(readMailbox('Perpétua <guardians@id.example>')).toEqual({ name: 'Perpétua', address: 'guardians@id.example' });
  expect(readMailbox('"Perpetua, of course"<guardians@id.example>')).toBe(null);
  expect(readMailbox('"Perpetua" <guardians@id.example>')).toEqual({
    name: 'Perpetua',
    address: 'guardians@id.example',
  });
  for (const wrong of [
    '',
    'Perpetua',
    'a@b.example, c@d.example',
    'x <a@b.example> <c@d.example>',
    'a\r\nb <a@b.example>',
  ]) {
    expect(readMailbox(wrong)).toBe(null);
  }
});

test('the retry delay doubles from a minute to an hour, and retries end after three days', () => {
  const waits: number[] = [];
  for (let failed = 1, wait = retryDelay(1); wait !== null; failed += 1, wait = retryDelay(failed)) waits.push(wait);
  expect(waits.slice(0, 8).map((wait) => wait / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400_000;
  expect(Math.floor(days)).toBe(3);
});
