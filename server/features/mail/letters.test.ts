import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../../messages/languages.ts';
import { everyNth } from '../../../protocol/test-amount.ts';
import type { GuardianMailKind } from './mail.ts';
import { type ReceivedMail, startMailServer } from './test-mail-server.ts';
import { FROM, PUBLIC_URL, testOutbox } from './test-outbox.ts';

const KINDS: readonly GuardianMailKind[] = [
  'invitation',
  'reminder',
  'recovery',
  'confirmed',
  'recovered',
  'cancelled',
];
/** Those without a link of the reader's own. */
const WITHOUT_LINK: readonly GuardianMailKind[] = ['recovered', 'cancelled'];
const everyLetter = LANGUAGES.flatMap((language) => KINDS.map((kind) => ({ kind, language })));

/** Sentences that the letters of each language must contain. */
const REQUIRED = {
  en: { care: 'your 24 words or your passphrase', call: 'call the person yourself, on a number you already know' },
  'pt-BR': {
    care: 'as suas 24 palavras nem a sua senha',
    call: 'ligue você para a pessoa, num número que você já conhece',
  },
  es: { care: 'sus 24 palabras ni su contraseña', call: 'llame usted a la persona, a un número que ya conozca' },
} as const;

const header = ({ email }: ReceivedMail, key: string) => email.headers.find((header) => header.key === key)?.value;
const htmlOf = ({ email }: ReceivedMail): string => email.html ?? '';
const textOf = ({ email }: ReceivedMail): string => email.text ?? '';
const unsubscribeIn = (mail: ReceivedMail): string =>
  new RegExp(`${PUBLIC_URL}/api/mail/unsubscribe/[\\w-]{43}`).exec(textOf(mail))?.[0] ?? '';
const shown = (html: string): string =>
  html
    .replace(/<(style|head)[\s\S]*<\/\1>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&#39;', "'");

/** Text chosen by strangers, which must not appear in a mail. */
const DOMAIN = 'buy-now.www.casino-example.com.bsp';
const NAME = 'You have won a prize open the link below to get it';

async function sent(kind: GuardianMailKind, language: Language) {
  const box = await testOutbox();
  const server = await startMailServer();
  const accepted = kind !== 'invitation' && kind !== 'reminder';
  const found = await box.guardian(DOMAIN, { accepted, name: NAME });
  await box.queue(kind, found, language);
  box.start(server.port);
  await expect.poll(() => box.waiting()).toEqual([]);
  const link = accepted ? found.recoveryLink : found.invitationLink;
  const page = `${PUBLIC_URL}/explore/${found.ownerId}`;
  return { mails: server.received, link: WITHOUT_LINK.includes(kind) ? null : link, page, openedAt: box.now() };
}

describe.each(everyNth(4, everyLetter))('the letter $kind in $language', ({ kind, language }) => {
  let mail: ReceivedMail;
  let link: string | null;
  let page: string;
  let openedAt: string;
  test('arrives', async () => {
    const { mails, ...rest } = await sent(kind, language);
    expect(mails).toHaveLength(1);
    mail = mails[0] as ReceivedMail;
    ({ link, page, openedAt } = rest);
  });

  test('has one recipient, one sender and headers for automatic mail', () => {
    expect([mail.from, mail.to]).toEqual([FROM.address, ['ana@mail.example']]);
    expect(mail.email.from).toMatchObject(FROM);
    expect(mail.email.to).toEqual([{ name: '', address: 'ana@mail.example' }]);
    expect([mail.email.cc, mail.email.bcc, mail.email.attachments]).toEqual([undefined, undefined, []]);
    expect(header(mail, 'auto-submitted')).toBe('auto-generated');
    expect(header(mail, 'x-auto-response-suppress')).toBe('All');
    expect(header(mail, 'content-language')).toBe(language);
    expect(header(mail, 'x-mailer')).toBe(undefined);
    expect(mail.email.messageId).toMatch(/^<[0-9a-f]{40}@id\.example>$/);
  });

  test('contains no text chosen by the person who causes it', () => {
    for (const part of [mail.raw, mail.email.subject ?? '', textOf(mail), htmlOf(mail)]) {
      expect(part).not.toMatch(/casino|buy-now|\.bsp|prize|below|primary/i);
    }
    expect(textOf(mail).split('\n')[0]).toMatch(/^(Hello,|Olá!|Hola:)$/);
  });

  test('has a one-click unsubscribe link for people and programs (RFC 8058)', () => {
    const url = unsubscribeIn(mail);
    expect(url).not.toBe('');
    expect(header(mail, 'list-unsubscribe')).toBe(`<${url}>`);
    expect(header(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('has the same content as text and as HTML', () => {
    const paragraphs = textOf(mail)
      .split(/\n+/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== 'Perpetua' && !line.endsWith(':'))
      .filter((line) => line !== unsubscribeIn(mail));
    const html = shown(htmlOf(mail));
    for (const paragraph of paragraphs) expect(html).toContain(paragraph);
  });

  test('has its link in both, and its expiry in the reader’s language', () => {
    const links = [...htmlOf(mail).matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
    if (link === null) {
      expect(links).toEqual([page, unsubscribeIn(mail), PUBLIC_URL]);
      expect(textOf(mail)).toContain(`${PUBLIC_URL}/recover`);
      return;
    }
    expect(links).toEqual([link, unsubscribeIn(mail), PUBLIC_URL]);
    expect(link).toMatch(/^https:\/\/id\.example\/[gr]\/[\w-]{43}$/);
    expect(textOf(mail)).toContain(`\n${link}\n`);
    const end = new Date(Date.parse(openedAt) + 72 * 3_600_000);
    const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(end);
    const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(end);
    for (const part of [textOf(mail), shown(htmlOf(mail))]) {
      expect(part).toContain(day);
      expect(part).toContain(month);
      expect(part).toMatch(/\d\d:\d\d UTC/);
    }
  });

  test('warns against sharing secrets, and asks to call about a recovery', () => {
    expect(textOf(mail)).toContain(REQUIRED[language].care);
    if (kind === 'recovery' || WITHOUT_LINK.includes(kind)) expect(textOf(mail)).toContain(REQUIRED[language].call);
  });

  test('loads no resources and supports dark mode', () => {
    const html = htmlOf(mail);
    expect(html).not.toMatch(/<img|<script|<link|<iframe|src=|url\(|@import|@font-face/i);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('content="light dark"');
    expect(html).toContain('prefers-color-scheme: dark');
  });
});

describe('a guardian’s contact', () => {
  test('gets mail only if it is one plain address', async () => {
    const box = await testOutbox();
    const server = await startMailServer();
    const contacts = [
      'a@b.example\r\nBcc: x@y.example',
      'a@b.example\nBcc: x@y.example',
      'a@b.example, x@y.example',
      'a@b.example;x@y.example',
      'Ana <a@b.example>',
      '"a@b.example" <x@y.example>',
      'a@b.example> <x@y.example',
      '<a@b.example>',
      'a@b.example (x@y.example)',
      'a@b@y.example',
      'a%x@b.example',
      '@b.example',
      'a@localhost',
      'a@[127.0.0.1]',
      'group: a@b.example, x@y.example;',
      '+351 912 345 678',
      'mailto:a@b.example',
      `${'a'.repeat(65)}@b.example`,
      ' plain@b.example ',
      'with+tag.and-dash@sub.b.example',
    ];
    for (const contact of contacts) await box.queue('invitation', await box.guardian('maria.bsp', { contact }));
    box.start(server.port);
    await expect.poll(() => box.waiting()).toEqual([]);
    const written = server.received.flatMap(({ to }) => to).toSorted();
    expect(written).toEqual(['plain@b.example', 'with+tag.and-dash@sub.b.example']);
    expect(box.logged).toEqual([]);
  });
});
